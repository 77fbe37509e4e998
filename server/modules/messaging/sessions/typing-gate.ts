import type { Peer } from '#server/connectors/messaging/port.ts';

/** Handsets say again about every ten seconds that somebody types. */
const againAfterMs = 5_000;
const mostPerSecond = 10;
const mostRemembered = 200;

type Gate<T> = (peer: Peer, told: T) => boolean;

/** Of one phone: whoever says the same over and over, or many at once, are not all passed on. */
function createGate<T>(
  now: () => number,
  isNews: (told: T, before: { told: T; ageMs: number } | undefined) => boolean,
): Gate<T> {
  const last = new Map<string, { told: T; at: number }>();
  let second = { startedAt: -Infinity, count: 0 };

  return (peer, told) => {
    const at = now();
    const key = peer.number ?? peer.lid;
    const before = last.get(key);
    if (!isNews(told, before && { told: before.told, ageMs: at - before.at })) return false;
    if (at - second.startedAt >= 1_000) second = { startedAt: at, count: 0 };
    second.count += 1;
    if (second.count > mostPerSecond) return false;
    last.delete(key);
    last.set(key, { told, at });
    const [oldest] = last.keys();
    if (last.size > mostRemembered && oldest !== undefined) last.delete(oldest);
    return true;
  };
}

export const createTypingGate = (now: () => number): Gate<boolean> =>
  createGate(now, (isTyping, before) =>
    before ? before.told !== isTyping || (isTyping && before.ageMs >= againAfterMs) : isTyping,
  );

export type Online = { isOnline: boolean; lastSeen: Date | null };

export const createOnlineGate = (now: () => number): Gate<Online> =>
  createGate(
    now,
    (online, before) =>
      (before !== undefined && before.ageMs >= againAfterMs) ||
      before?.told.isOnline !== online.isOnline ||
      before.told.lastSeen?.getTime() !== online.lastSeen?.getTime(),
  );
