import { setImmediate as turn } from 'node:timers/promises';
import { isLidUser, jidDecode } from 'baileys';
import type { WASocket } from 'baileys';
import type { ChatBook } from '../chat-book.ts';
import type { Findings } from './findings.ts';

/** So many at a time: each is encrypted and stored. */
const sliceSize = 100;

type Kept = { sock: Pick<WASocket, 'signalRepository' | 'authState'>; chats: ChatBook };

/** Keeps what a history told; others are let in between. */
export async function keepFindings(
  { sock, chats }: Kept,
  { mappings, tokens, expirations, salt }: Omit<Findings, 'chats'>,
): Promise<void> {
  if (salt) chats.rememberSalt(salt);
  const { lidMapping } = sock.signalRepository;
  for (const slice of slicesOf(mappings)) {
    await lidMapping.storeLIDPNMappings(slice);
    await turn();
  }
  for (const slice of slicesOf(tokens)) {
    await keepTokens(sock, slice);
    await turn();
  }
  for (const { jid, seconds, setAt } of expirations) {
    await chats.rememberExpiration(userOf(jid), { seconds, setAt });
  }
}

/** Under the contact's LID, where Baileys looks for them; a newer one stays. */
async function keepTokens({ authState }: Kept['sock'], tokens: Findings['tokens']): Promise<void> {
  const numbers = tokens.flatMap(({ jid }) => (isLidUser(jid) ? [] : userOf(jid)));
  // From the store alone: WhatsApp would be asked about each that is not known.
  const lids = await authState.keys.get('lid-mapping', numbers);
  const owned = tokens.map(({ jid, ...token }) => {
    const lid = lids[userOf(jid)];
    return { owner: lid === undefined ? jid : `${lid}@lid`, ...token };
  });
  const known = await authState.keys.get(
    'tctoken',
    owned.map(({ owner }) => owner),
  );
  const newer = owned.filter(({ owner, givenAt }) => Number(known[owner]?.timestamp ?? 0) < givenAt);
  const entries = newer.map(({ owner, token, givenAt, returnedAt }) => [
    owner,
    {
      ...known[owner],
      token: Buffer.from(token),
      timestamp: String(givenAt),
      ...(returnedAt !== undefined && { senderTimestamp: returnedAt }),
    },
  ]);
  if (entries.length > 0) await authState.keys.set({ tctoken: Object.fromEntries(entries) as never });
}

const userOf = (jid: string): string => jidDecode(jid)?.user ?? '';

function* slicesOf<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += sliceSize) yield items.slice(at, at + sliceSize);
}
