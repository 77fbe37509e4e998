import type { PossiblyExtendedCacheStore } from 'baileys';
import type { Clock } from '#server/platform/clock.ts';
import { BoundedMap } from './bounded-map.ts';

/**
 * Every miss makes Baileys ask for a contact's devices and keys and start the Signal conversation anew, so entries
 * live long: WhatsApp tells of changed devices, and a message's ack hints at a stale list.
 */
const maxAgeMs = 24 * 60 * 60_000;
const maxUsers = 20_000;

export type DeviceCache = PossiblyExtendedCacheStore & { has(user: string): boolean };

/**
 * The devices of contacts, by the user part of their address, outliving a single socket. Baileys reads with `mget`
 * where there is one and writes with `mset`, and then never falls back to `get` and `set`: all four work here.
 */
export function createDeviceCache(clock: Clock): DeviceCache {
  const devices = new BoundedMap<{ value: unknown; expiresAtMs: number }>(maxUsers);

  function read(user: string): unknown {
    const entry = devices.get(user);
    return entry && entry.expiresAtMs > clock.now().getTime() ? entry.value : undefined;
  }

  function write(user: string, value: unknown): void {
    devices.set(user, { value, expiresAtMs: clock.now().getTime() + maxAgeMs });
  }

  return {
    has: (user) => read(user) !== undefined,
    get: read as DeviceCache['get'],
    set: write,
    del: (user) => devices.delete(user),
    flushAll: () => devices.clear(),
    mget: <T>(users: string[]) =>
      Promise.resolve(Object.fromEntries(users.map((user) => [user, read(user)])) as Record<string, T | undefined>),
    mset(entries) {
      for (const { key, value } of entries) write(key, value);
    },
  };
}
