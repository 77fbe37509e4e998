import { createHmac } from 'node:crypto';
import { getBinaryNodeChild, getBinaryNodeChildren, isLidUser } from 'baileys';
import type { BinaryNode, SignalDataTypeMap, WASocket } from 'baileys';
import type { Clock } from '#server/platform/clock.ts';

/** Both for how long WhatsApp keeps trusted-contact tokens, and how many of those buckets Baileys believes in. */
const bucketsKept = 26;
const bucketsBelieved = 4;

/** WhatsApp issues trusted-contact tokens anew every seven days. */
const bucketSeconds = 7 * 24 * 60 * 60;

/**
 * Baileys issues a token to a contact with every message, since what it remembers of the last time is written into a
 * transaction that is over. Written here once the message is out, it counts: once a week.
 */
export async function rememberTokenIssued(
  { authState, signalRepository }: Pick<WASocket, 'authState' | 'signalRepository'>,
  jid: string,
  clock: Clock,
): Promise<void> {
  const owner = isLidUser(jid) ? jid : ((await signalRepository.lidMapping.getLIDForPN(jid)) ?? jid);
  const { [owner]: entry } = await authState.keys.get('tctoken', [owner]);
  const seconds = Math.floor(clock.now().getTime() / 1000);
  const issued = entry?.senderTimestamp;
  if (issued !== undefined && bucketOf(issued) >= bucketOf(seconds)) return;
  await authState.keys.set({
    tctoken: { [owner]: { token: Buffer.alloc(0), ...entry, senderTimestamp: seconds } },
  });
}

type TokenSocket = Pick<WASocket, 'authState' | 'signalRepository'>;
type Token = SignalDataTypeMap['tctoken'];

const bucketOf = (seconds: number) => Math.floor(seconds / bucketSeconds);

/**
 * A contact's token as Baileys is to see it: WhatsApp takes it for 26 weekly buckets, Baileys forgets it after 4
 * (whatsapp-rust#473), so that an older one appears as old as Baileys believes in.
 */
export function believable(token: Token, clock: Clock): Token {
  const now = bucketOf(clock.now().getTime() / 1000);
  const given = bucketOf(Number(token.timestamp ?? 0));
  if (given <= now - bucketsKept || given > now - bucketsBelieved) return token;
  return { ...token, timestamp: String((now - bucketsBelieved + 1) * bucketSeconds) };
}

/**
 * Makes the value that a first contact's message carries in place of a token, as WhatsApp Web does: `cstoken`,
 * HMAC-SHA256 of the contact's LID with the salt that the handset shared (whatsapp-rust#433). None where a token is
 * there, or no salt.
 */
export async function tokenForStranger(
  { authState }: TokenSocket,
  chats: { readSalt(): Promise<Buffer | undefined> },
  jid: string,
): Promise<BinaryNode | undefined> {
  if (!isLidUser(jid)) return undefined;
  const salt = await chats.readSalt();
  if (!salt) return undefined;
  const { [jid]: entry } = await authState.keys.get('tctoken', [jid]);
  if (entry?.token.length) return undefined;
  return { tag: 'cstoken', attrs: {}, content: createHmac('sha256', salt).update(jid).digest() };
}

/** Gives the contact the account's token anew; WhatsApp answers with the contact's own, where it has one. */
export async function renewToken(
  { authState, signalRepository, issuePrivacyTokens }: TokenSocket & Pick<WASocket, 'issuePrivacyTokens'>,
  jid: string,
  clock: Clock,
): Promise<void> {
  const owner = isLidUser(jid) ? jid : ((await signalRepository.lidMapping.getLIDForPN(jid)) ?? jid);
  const seconds = Math.floor(clock.now().getTime() / 1000);
  const answer = (await issuePrivacyTokens([owner], seconds)) as BinaryNode;
  const token = getBinaryNodeChildren(getBinaryNodeChild(answer, 'tokens'), 'token').find(
    ({ attrs }) => attrs.type === 'trusted_contact',
  );
  if (!(token?.content instanceof Uint8Array)) return;
  const { [owner]: known } = await authState.keys.get('tctoken', [owner]);
  const timestamp = token.attrs.t ?? String(seconds);
  const entry = { ...known, token: Buffer.from(token.content), timestamp, senderTimestamp: seconds };
  await authState.keys.set({ tctoken: { [owner]: entry } });
}
