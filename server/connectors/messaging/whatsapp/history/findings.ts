import { FieldStream, fieldsOf } from './fields.ts';
import type { Field } from './fields.ts';

/** The part that is kept of the history that a handset shares after linking. */
export type Findings = {
  /** Two addresses of one person. */
  mappings: { lid: string; pn: string }[];
  /** Tokens that contacts gave; times in seconds since 1970. */
  tokens: { jid: string; token: Uint8Array; givenAt: number; returnedAt?: number }[];
  /** Conversations whose messages disappear. */
  expirations: { jid: string; seconds: number; setAt: number }[];
  /** Tokens for first contacts are made of it. */
  salt?: Uint8Array;
  /** With the messages since the time that was asked for; none where none was. */
  chats: RawChat[];
};

/** A conversation as the handset has it; its messages are the newest ones, newest first, each a `WebMessageInfo`. */
export type RawChat = {
  jid: string;
  /** The person's other address, where it is known. */
  other: string | undefined;
  name: string;
  unread: number;
  messages: Uint8Array[];
};

/** Numbers of fields in WhatsApp's protocol (`WAProto.proto` of Baileys; the salt is newer: `nctSalt` of WhatsApp Web). */
const history = { conversation: 2, mapping: 15, salt: 19 };
const mapping = { pn: 1, lid: 2 };
const chat = {
  id: 1,
  message: 2,
  unread: 6,
  expiration: 9,
  expirationSetAt: 10,
  name: 13,
  token: 21,
  tokenGivenAt: 22,
  tokenReturnedAt: 28,
  displayName: 38,
  pn: 39,
  lid: 42,
};

/** Looked through for the number of a contact whose conversation names the LID alone. */
const maxSearched = 50;
/** Of one conversation: more is no conversation with a person. */
const maxTaken = 500;

export const noFindings = (): Findings => ({ mappings: [], tokens: [], expirations: [], chats: [] });

/** Reads a history as it comes: never more than one conversation is held. */
export class HistoryReader {
  readonly #fields = new FieldStream();
  readonly #since: number | undefined;

  /** Messages are read from that time on, in seconds since 1970; undefined: none. */
  constructor(since: number | undefined) {
    this.#since = since;
  }

  push(piece: Buffer): Findings {
    const findings = noFindings();
    for (const { number, bytes } of this.#fields.push(piece)) {
      if (number === history.mapping && bytes) readMapping(bytes, findings);
      if (number === history.conversation && bytes) readConversation(bytes, findings, this.#since);
      if (number === history.salt && bytes && bytes.length > 0) findings.salt = Uint8Array.from(bytes);
    }
    return findings;
  }

  end(): void {
    this.#fields.end();
  }
}

function readMapping(bytes: Buffer, { mappings }: Findings): void {
  const fields = byNumber(bytes);
  const [pn, lid] = [textOf(fields.get(mapping.pn)), textOf(fields.get(mapping.lid))];
  if (pn && lid) mappings.push({ pn, lid });
}

function readConversation(
  bytes: Buffer,
  { mappings, tokens, expirations, chats }: Findings,
  since: number | undefined,
): void {
  const fields = new Map<number, Field>();
  const messages: Buffer[] = [];
  for (const field of fieldsOf(bytes)) {
    if (field.number !== chat.message) fields.set(field.number, field);
    else if (field.bytes && (since !== undefined || messages.length < maxSearched)) messages.push(field.bytes);
  }
  const jid = textOf(fields.get(chat.id));
  if (!isPn(jid) && !isLid(jid)) return;
  const valueOf = (number: number) => fields.get(number)?.value ?? 0;
  const lid = isLid(jid) ? jid : textOf(fields.get(chat.lid));
  const pn = isPn(jid) ? jid : textOf(fields.get(chat.pn)) || findRecipient(messages.slice(0, maxSearched));
  if (isLid(lid) && isPn(pn)) mappings.push({ lid, pn });
  const token = fields.get(chat.token)?.bytes;
  const returnedAt = valueOf(chat.tokenReturnedAt);
  if (token && token.length > 0 && valueOf(chat.tokenGivenAt) > 0) {
    const givenAt = valueOf(chat.tokenGivenAt);
    tokens.push({ jid, token: Uint8Array.from(token), givenAt, ...(returnedAt > 0 && { returnedAt }) });
  }
  const seconds = valueOf(chat.expiration);
  if (seconds > 0) expirations.push({ jid, seconds, setAt: valueOf(chat.expirationSetAt) });
  if (since === undefined) return;
  const taken = messagesSince(messages, since);
  const name = textOf(fields.get(chat.name)) || textOf(fields.get(chat.displayName));
  const other = [lid, pn].find((address) => address !== jid && (isPn(address) || isLid(address)));
  if (taken.length > 0) chats.push({ jid, other, name, unread: valueOf(chat.unread), messages: taken });
}

/** The newest ones; of the same second in the order that they have. */
function messagesSince(messages: readonly Buffer[], since: number): Uint8Array[] {
  const timed = messages.flatMap((bytes) => {
    const message = byNumber(bytes).get(1)?.bytes;
    const seconds = message && byNumber(message).get(3)?.value;
    return message && seconds !== undefined && seconds >= since ? [{ message, seconds }] : [];
  });
  // A slice of a buffer would be sent with all of that buffer.
  return timed
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, maxTaken)
    .map(({ message }) => Uint8Array.from(message));
}

/** Finds the number behind a LID, from the receipt of one of the owner's messages. */
function findRecipient(messages: readonly Buffer[]): string {
  for (const bytes of messages) {
    const message = byNumber(bytes).get(1)?.bytes;
    const fields = message && byNumber(message);
    const key = fields?.get(1)?.bytes;
    const receipt = fields?.get(40)?.bytes;
    if (!key || !receipt || byNumber(key).get(2)?.value !== 1) continue;
    const user = textOf(byNumber(receipt).get(1));
    if (isPn(user)) return user;
  }
  return '';
}

/** Of repeated ones the first. */
function byNumber(message: Buffer): Map<number, Field> {
  const fields = new Map<number, Field>();
  for (const field of fieldsOf(message)) if (!fields.has(field.number)) fields.set(field.number, field);
  return fields;
}

const textOf = (field: Field | undefined): string => field?.bytes?.toString() ?? '';
const isPn = (jid: string): boolean => /^\d+@s\.whatsapp\.net$/.test(jid);
const isLid = (jid: string): boolean => /^\d+@lid$/.test(jid);
