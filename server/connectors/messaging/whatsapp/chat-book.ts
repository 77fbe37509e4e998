import { randomBytes } from 'node:crypto';
import type { Clock } from '#server/platform/clock.ts';
import type { KeyStore } from './key-store.ts';

/** Facts about a conversation, kept with the phone's keys. */
export type ChatMemory = {
  /** The contact took a message at this kind of address after it had refused the other one. */
  address?: 'pn' | 'lid';
  /** Until when that is believed, in milliseconds since 1970: a refusal may have passed. */
  addressUntil?: number;
  expiration?: Expiration;
};

/** Messages of the conversation disappear after `seconds` (0: never); `setAt` in seconds since 1970. */
export type Expiration = { seconds: number; setAt: number };

/** Conversations by the user part of the contact's address. */
export type ChatBook = {
  /** The facts known under any of the contact's addresses; of two expirations the later one. */
  read(users: readonly string[]): Promise<ChatMemory>;
  rememberAddress(user: string, address: 'pn' | 'lid'): Promise<void>;
  /** The salt from which tokens for first contacts are made; undefined until a handset has shared it. */
  readSalt(): Promise<Buffer | undefined>;
  rememberSalt(bytes: Uint8Array): void;
  /** The key from which the secrets of the phone's own messages are derived: the same over every link of the phone. */
  secretKey(): Promise<Buffer>;
  /** An earlier one than what is known changes nothing. */
  rememberExpiration(user: string, expiration: Expiration): Promise<void>;
};

const type = 'chat';
const addressMs = 7 * 24 * 60 * 60_000;

type Keys = Pick<KeyStore, 'readOwn' | 'writeOwn'>;

/** The salt that the handset gives to the account's devices for tokens for first contacts; each phone has one. */
const salt = { type: 'salt', id: 'nct' } as const;
const ownKey = { type: 'salt', id: 'secrets' } as const;

export function createChatBook(keys: Keys, clock: Clock): ChatBook {
  async function change(user: string, decide: (before: ChatMemory) => ChatMemory): Promise<void> {
    const before = await readOne(user);
    const after = decide(before);
    if (after !== before) keys.writeOwn(type, user, after);
  }

  let secretKey: Promise<Buffer> | undefined;

  async function readOnce(): Promise<Buffer> {
    secretKey ??= readSecretKey();
    try {
      return await secretKey;
    } catch (error) {
      // The store may be back for the next message.
      secretKey = undefined;
      throw error;
    }
  }

  async function readSecretKey(): Promise<Buffer> {
    const known = (await keys.readOwn(ownKey.type, [ownKey.id])).get(ownKey.id);
    if (typeof known === 'string') return Buffer.from(known, 'base64');
    const made = randomBytes(32);
    keys.writeOwn(ownKey.type, ownKey.id, made.toString('base64'));
    return made;
  }

  const readOne = async (user: string) => ((await keys.readOwn(type, [user])).get(user) ?? {}) as ChatMemory;

  return {
    async read(users) {
      const known = (await keys.readOwn(type, users)) as Map<string, ChatMemory>;
      const memory = [...known.values()].reduce<ChatMemory>(
        (all, each) => ({ ...all, ...each, ...later(all, each) }),
        {},
      );
      const { address, addressUntil = 0, ...others } = memory;
      return address !== undefined && addressUntil > clock.now().getTime() ? memory : others;
    },
    rememberAddress: (user, address) =>
      change(user, (before) => ({ ...before, address, addressUntil: clock.now().getTime() + addressMs })),
    async readSalt() {
      const text = (await keys.readOwn(salt.type, [salt.id])).get(salt.id);
      return typeof text === 'string' ? Buffer.from(text, 'base64') : undefined;
    },
    secretKey: readOnce,
    rememberSalt: (bytes) => keys.writeOwn(salt.type, salt.id, Buffer.from(bytes).toString('base64')),
    rememberExpiration: (user, expiration) =>
      change(user, (before) => {
        const known = before.expiration ?? { seconds: 0, setAt: 0 };
        const isNews = expiration.setAt >= known.setAt && expiration.seconds !== known.seconds;
        return isNews ? { ...before, expiration } : before;
      }),
  };
}

function later({ expiration: one }: ChatMemory, { expiration: other }: ChatMemory): ChatMemory {
  const latest = (other?.setAt ?? -1) >= (one?.setAt ?? -1) ? other : one;
  return latest ? { expiration: latest } : {};
}
