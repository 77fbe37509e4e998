import type { KeyStore } from './key-store.ts';

/** What is remembered of a conversation, kept with the phone's keys. */
export type ChatMemory = {
  /** The contact takes messages at this kind of address alone: the other one was refused. */
  address?: 'pn' | 'lid';
  expiration?: Expiration;
};

/** Messages of the conversation disappear after `seconds` (0: never); `setAt` in seconds since 1970. */
export type Expiration = { seconds: number; setAt: number };

/** Conversations by the user part of the contact's address. */
export type ChatBook = {
  /** What is known under any of the contact's addresses; of two expirations the later one. */
  read(users: readonly string[]): Promise<ChatMemory>;
  rememberAddress(user: string, address: 'pn' | 'lid'): Promise<void>;
  /** An earlier one than what is known changes nothing. */
  rememberExpiration(user: string, expiration: Expiration): Promise<void>;
};

const type = 'chat';

export function createChatBook(keys: Pick<KeyStore, 'readOwn' | 'writeOwn'>): ChatBook {
  async function change(user: string, decide: (before: ChatMemory) => ChatMemory): Promise<void> {
    const before = await readOne(user);
    const after = decide(before);
    if (after !== before) keys.writeOwn(type, user, after);
  }

  const readOne = async (user: string) => ((await keys.readOwn(type, [user])).get(user) ?? {}) as ChatMemory;

  return {
    async read(users) {
      const known = (await keys.readOwn(type, users)) as Map<string, ChatMemory>;
      return [...known.values()].reduce<ChatMemory>((all, each) => ({ ...all, ...each, ...later(all, each) }), {});
    },
    rememberAddress: (user, address) =>
      change(user, (before) => (before.address === address ? before : { ...before, address })),
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
