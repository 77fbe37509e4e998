import { z } from 'zod';
import type { MediaType } from '#contracts/message-content.ts';
import type { CloudStatus, CloudNews } from './news.ts';
import {
  cleanName,
  cleanText,
  dateOfSeconds,
  fieldOf,
  isDegrees,
  isStorableId,
  maxAddressLength,
  timeOfSeconds,
} from '../network-values.ts';
import type { EarlierMessage, HistoryNews, IncomingContent, IncomingMedia, IncomingMessage, Peer } from '../port.ts';
import { adviceFor, refusalOf } from './faults.ts';
import { fieldsOf, items, stringOf } from './loose-values.ts';
import { earlierOf, PieceOfHistory } from './read-history.ts';
import { readContext } from './read-context.ts';
import { readOrder } from './read-order.ts';
import { personOf, readAddressBook, readMoved, readPreferences, readUserIds } from './read-people.ts';

const text = z.string();
const loose = z.record(z.string(), z.unknown());
const Seconds = z.coerce.number();

const Webhook = z.object({ entry: z.array(z.unknown()) });
const Entry = z.object({ id: z.coerce.string().catch(''), time: Seconds.catch(0), changes: items });
/** An id that cannot be stored is no number of ours. */
const Metadata = z.object({ phone_number_id: text.refine(isStorableId) });
const Change = z.object({ field: text, value: loose });

const MessagesValue = z.object({
  metadata: Metadata,
  contacts: items,
  messages: items,
  statuses: items,
  message_echoes: items,
});

const Status = z.object({
  id: text,
  status: text,
  timestamp: Seconds.catch(0),
  biz_opaque_callback_data: text.optional().catch(undefined),
  pricing: z
    .object({
      category: text,
      type: text.optional().catch(undefined),
      billable: z.boolean().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  errors: z
    .array(
      z.object({
        code: z.coerce.number(),
        title: text.catch(''),
        message: text.optional().catch(undefined),
        error_data: z
          .object({ details: text.optional().catch(undefined) })
          .optional()
          .catch(undefined),
      }),
    )
    .optional()
    .catch(undefined),
});

const Message = z.object({
  id: text,
  from: text.optional().catch(undefined),
  from_user_id: text.optional().catch(undefined),
  to: text.optional().catch(undefined),
  to_user_id: text.optional().catch(undefined),
  timestamp: Seconds.catch(0),
  type: text,
  context: z
    .object({ id: text.optional().catch(undefined) })
    .optional()
    .catch(undefined),
});
type Message = z.infer<typeof Message>;

/**
 * Reads the body of a webhook, whose signature is checked. Unreadable items are reported, and hide none beside them.
 */
export function readWebhook(body: unknown, now: Date): CloudNews[] {
  const parsed = Webhook.safeParse(body);
  if (!parsed.success) return [{ kind: 'unreadable', reason: 'The webhook has no entries' }];
  return parsed.data.entry.flatMap((entry): CloudNews[] => {
    const read = Entry.safeParse(entry);
    if (!read.success) return [{ kind: 'unreadable', reason: 'An entry is no object' }];
    const { id: accountId, time, changes } = read.data;
    return changes.flatMap((change) => readChange(change, { accountId, at: timeOfSeconds(time, now), now }));
  });
}

/** Fields that bring data of people; all others are something that Meta says of the account, a number or a template. */
export const peopleReaders: Readonly<Record<string, (value: Record<string, unknown>, now: Date) => CloudNews[]>> = {
  messages: readMessages,
  smb_message_echoes: readMessages,
  history: readHistory,
  smb_app_state_sync: readAddressBook,
  user_preferences: readPreferences,
  user_id_update: readUserIds,
};

type OfEntry = { accountId: string; at: Date | undefined; now: Date };

function readChange(raw: unknown, { accountId, at, now }: OfEntry): CloudNews[] {
  const change = Change.safeParse(raw);
  if (!change.success) return [{ kind: 'unreadable', reason: 'A change has no field or no value' }];
  const { field, value } = change.data;
  const readPeople = peopleReaders[field];
  if (readPeople) return readPeople(value, now);
  return [{ kind: 'account', accountId, field: cleanText(field, 60), value, at }];
}

const HistoryValue = z.object({
  metadata: Metadata.extend({ display_phone_number: text.catch('') }),
  history: items,
  messages: items,
});

/** Source: developers.facebook.com/docs/whatsapp/embedded-signup/custom-flows/onboarding-business-app-users. */
function readHistory(value: Record<string, unknown>, now: Date): CloudNews[] {
  const parsed = HistoryValue.safeParse(value);
  if (!parsed.success) return [{ kind: 'unreadable', reason: 'A history names no phone number ID' }];
  const { metadata, history, messages: ofFiles } = parsed.data;
  const { phone_number_id: phoneNumberId, display_phone_number: own } = metadata;
  const files = ofFiles.flatMap((raw) => readEarlierFile(raw, own.replaceAll(/\D/g, ''), now));
  const pieces = history.map((raw): CloudNews => {
    const piece = PieceOfHistory.safeParse(raw);
    if (!piece.success) return { kind: 'unreadable', reason: 'A piece of a history without chats' };
    const chats = piece.data.threads.flatMap((thread): HistoryNews[] => {
      const { id, messages } = fieldsOf(thread);
      const number = stringOf(id).replace(/^\+/, '');
      if (!/^\d{5,15}$/.test(number)) return [];
      const earlier = items.parse(messages).flatMap((message): EarlierMessage[] => {
        const isFromHandset = stringOf(fieldsOf(message)['from']).replace(/^\+/, '') !== number;
        const read = readMessage(message, { now, isFromHandset, name: undefined, peer: { number } });
        return read ? earlierOf(read, message) : [];
      });
      const newestFirst = earlier.toSorted((a, b) => b.at.getTime() - a.at.getTime());
      return [{ kind: 'chat', peer: { number }, name: undefined, unread: 0, messages: newestFirst }];
    });
    const percent = piece.data.metadata?.progress;
    const news: HistoryNews[] = [{ kind: 'begun' }, ...chats, { kind: 'piece', percent, isLost: false, isLast: true }];
    return { kind: 'history', phoneNumberId, news };
  });
  return files.length > 0 ? [...pieces, { kind: 'history', phoneNumberId, news: files }] : pieces;
}

/** A message with its file, which stands in its chat as a placeholder; the owner's own may name nobody. */
function readEarlierFile(raw: unknown, own: string, now: Date): HistoryNews[] {
  const { from, to, to_user_id: toUser, from_user_id: fromUser } = fieldsOf(raw);
  const digits = (value: unknown) => stringOf(value).replace(/^\+/, '') || undefined;
  const isFromHandset = digits(from) === own;
  const [number, userId] = isFromHandset ? [to, toUser] : [from, fromUser];
  const peer = personOf({ number: digits(number), userId: stringOf(userId) || undefined });
  const read = readMessage(raw, { now, isFromHandset, name: undefined, peer: peer ?? { lid: own } });
  return (read ? earlierOf(read, raw) : []).map((message) => ({ kind: 'file', peer, message }));
}

function readMessages(value: Record<string, unknown>, now: Date): CloudNews[] {
  const parsed = MessagesValue.safeParse(value);
  if (!parsed.success) return [{ kind: 'unreadable', reason: 'A change names no phone number ID' }];
  const { metadata, contacts, messages, statuses, message_echoes: echoes } = parsed.data;
  const phoneNumberId = metadata.phone_number_id;
  const senderNameOf = namesOf(contacts, messages);
  const read = (raw: unknown, isFromHandset: boolean): CloudNews => {
    const moved = readMoved(raw, phoneNumberId);
    if (moved) return moved;
    const message = readMessage(raw, { now, isFromHandset, name: senderNameOf(raw) });
    return message
      ? { kind: 'message', phoneNumberId, message }
      : { kind: 'unreadable', reason: `A message of type ${typeOf(raw)}` };
  };
  return [
    ...messages.map((raw) => read(raw, false)),
    ...echoes.map((raw) => read(raw, true)),
    ...statuses.map((raw): CloudNews => {
      const status = readStatus(raw, now);
      return status
        ? { kind: 'status', phoneNumberId, status }
        : { kind: 'unreadable', reason: 'A status without an id or of an unknown kind' };
    }),
  ];
}

const typeOf = (raw: unknown) => cleanText(stringOf(fieldsOf(raw)['type']), 60);

const nameOf = (contact: unknown) => cleanName(stringOf(fieldsOf(fieldsOf(contact)['profile'])['name']));

/** Tells the name of a message's sender. A single contact is that of a single message: `wa_id` and `from` may differ. */
function namesOf(contacts: readonly unknown[], messages: readonly unknown[]): (message: unknown) => string | undefined {
  const names = new Map<string, string | undefined>();
  for (const contact of contacts) {
    const { wa_id: number, user_id: userId } = fieldsOf(contact);
    for (const id of [number, userId].map(stringOf)) if (id !== '' && !names.has(id)) names.set(id, nameOf(contact));
  }
  const [only] = contacts.length === 1 && messages.length === 1 ? contacts : [];
  return (message) => {
    const { from, from_user_id: userId } = fieldsOf(message);
    const id = [from, userId].map(stringOf).find((each) => names.has(each));
    return id === undefined ? nameOf(only) : names.get(id);
  };
}

/** `played` is the first play of a voice message, which was read then. */
const steps: Readonly<Record<string, 'sent' | 'delivered' | 'read'>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  played: 'read',
};

function readStatus(raw: unknown, now: Date): CloudStatus | undefined {
  const parsed = Status.safeParse(raw);
  if (!parsed.success || !isStorableId(parsed.data.id)) return undefined;
  const { id, status, timestamp, biz_opaque_callback_data: ourId, errors, pricing } = parsed.data;
  const base = {
    ourId: ourId !== undefined && isStorableId(ourId) ? ourId : null,
    theirId: id,
  };
  if (status === 'failed') {
    const [error] = errors ?? [];
    const fault = {
      code: error?.code ?? -1,
      message: error?.title ?? '',
      details: error?.error_data?.details ?? error?.message ?? null,
    };
    const reason = error ? cleanText(adviceFor(fault), 500) : 'Meta could not deliver the message';
    const receipt = { status: 'failed', code: refusalOf(fault.code), reason } as const;
    return { ...base, receipt, ...(error && { fault: { code: fault.code, at: dateOfSeconds(timestamp, now) } }) };
  }
  const step = steps[status];
  if (!step) return undefined;
  const counted = step === 'sent' ? undefined : pricingOf(pricing);
  const receipt = { status: step, at: dateOfSeconds(timestamp, now) };
  return { ...base, receipt, ...(counted && { pricing: counted }) };
}

type Counted = NonNullable<z.infer<typeof Status>['pricing']>;

/** `billable` is marked for removal: the type says the same. Categories are written in two ways. */
function pricingOf(pricing: Counted | undefined): CloudStatus['pricing'] {
  if (!pricing) return undefined;
  const category = cleanText(pricing.category.toLowerCase().replaceAll('-', '_'), 40).replace(/[^a-z_]/g, '');
  if (category === '') return undefined;
  return { category, isBilled: pricing.type === undefined ? pricing.billable === true : pricing.type === 'regular' };
}

function readMessage(
  raw: unknown,
  {
    now,
    isFromHandset,
    name,
    peer: known,
  }: { now: Date; isFromHandset: boolean; name: string | undefined; peer?: Peer },
): IncomingMessage | undefined {
  const parsed = Message.safeParse(raw);
  if (!parsed.success || !isStorableId(parsed.data.id)) return undefined;
  const { id, timestamp, type, context } = parsed.data;
  const fields = fieldsOf(raw);
  const beside = readContext(type, fields);
  const peer = known ?? peerOf(parsed.data, isFromHandset);
  if (!peer) return undefined;
  const replyTo = context?.id;
  return {
    networkId: id,
    peer,
    isFromHandset,
    at: dateOfSeconds(timestamp, now),
    ...(name !== undefined && !isFromHandset && { senderName: name }),
    ...(replyTo !== undefined && isStorableId(replyTo) && { replyTo }),
    ...(beside && { context: beside }),
    content: readContent(type, fields),
  };
}

/** Users with a user name hide their number: they are known by their business-scoped id alone. */
function peerOf(message: Message, isFromHandset: boolean): Peer | undefined {
  const { from, from_user_id: sender, to, to_user_id: recipient } = message;
  return personOf(isFromHandset ? { number: to, userId: recipient } : { number: from, userId: sender });
}

function readContent(type: string, raw: Record<string, unknown>): IncomingContent {
  const part = fieldsOf(raw[type]);
  switch (type) {
    case 'text':
      return { type: 'text', text: cleanText(stringOf(part['body'])) };
    case 'image':
    case 'video':
    case 'document':
    case 'sticker':
      return mediaContent(type, part);
    case 'audio':
      return mediaContent(part['voice'] === true ? 'voice' : 'audio', part);
    case 'location':
      return readLocation(part);
    case 'contacts':
      return readContacts(raw[type]);
    case 'order':
      return readOrder(part);
    case 'reaction':
      return { type: 'reaction', target: stringOf(part['message_id']), emoji: cleanText(stringOf(part['emoji']), 20) };
    case 'button':
      return { type: 'text', text: cleanText(stringOf(part['text'])), isPressed: true };
    case 'interactive':
      return readInteractive(part);
    case 'edit':
      return readEdit(part);
    case 'revoke':
      return { type: 'revocation', target: stringOf(part['original_message_id']) };
    default:
      return { type: 'unsupported', text: '', protocolType: cleanText(type, 60) };
  }
}

function mediaContent(type: MediaType, part: Record<string, unknown>): IncomingContent {
  const id = stringOf(part['id']);
  if (!isStorableId(id)) return { type: 'unsupported', text: '', protocolType: type };
  const media: IncomingMedia = {
    mimeType: cleanText(stringOf(part['mime_type']), 120) || null,
    fileName: cleanName(stringOf(part['filename'])) ?? null,
    size: null,
    sha256: hexOf(stringOf(part['sha256'])),
    source: { id },
  };
  return { type, text: cleanText(stringOf(part['caption'])), media };
}

/** Meta writes hashes in base64 in webhooks, in hexadecimal elsewhere. */
function hexOf(hash: string): string | null {
  if (/^[0-9a-f]{64}$/i.test(hash)) return hash.toLowerCase();
  const bytes = Buffer.from(hash, 'base64');
  return bytes.length === 32 ? bytes.toString('hex') : null;
}

const degrees = (max: number) => z.number().refine((value) => isDegrees(value, max));
const Place = z.object({ latitude: degrees(90), longitude: degrees(180) });

function readLocation(part: Record<string, unknown>): IncomingContent {
  const { success, data } = Place.safeParse(part);
  if (!success) return { type: 'unsupported', text: '', protocolType: 'location' };
  const name = cleanName(stringOf(part['name'])) ?? null;
  const address = fieldOf(stringOf(part['address']), maxAddressLength);
  return { type: 'location', text: '', location: { ...data, name, address } };
}

const maxContacts = 50;

function readContacts(value: unknown): IncomingContent {
  const contacts = z.array(loose).catch([]).parse(value).slice(0, maxContacts);
  return {
    type: 'contact',
    text: '',
    contacts: contacts.map((contact) => ({
      name: cleanName(stringOf(fieldsOf(contact['name'])['formatted_name'])) ?? '',
      phones: z
        .array(loose)
        .catch([])
        .parse(contact['phones'])
        .slice(0, maxContacts)
        .map((phone) => ({
          phone: cleanText(stringOf(phone['phone']), 40),
          type: cleanName(stringOf(phone['type'])) ?? null,
        })),
    })),
  };
}

function readInteractive(part: Record<string, unknown>): IncomingContent {
  const type = stringOf(part['type']);
  const title = cleanText(stringOf(fieldsOf(part[type])[type === 'nfm_reply' ? 'body' : 'title']));
  // A form may come without words.
  return title === '' && type !== 'nfm_reply'
    ? { type: 'unsupported', text: '', protocolType: `interactive:${cleanText(type, 60)}` }
    : { type: 'text', text: title, isPressed: true };
}

function readEdit(part: Record<string, unknown>): IncomingContent {
  const edited = fieldsOf(part['message']);
  const type = stringOf(edited['type']);
  const inner = fieldsOf(edited[type]);
  const wording = stringOf(inner[type === 'text' ? 'body' : 'caption']);
  // The text that is there is better than none; a caption may be gone.
  if (wording === '' && (type === 'text' || edited[type] === undefined))
    return { type: 'unsupported', text: '', protocolType: 'edit' };
  return { type: 'edit', target: stringOf(part['original_message_id']), text: cleanText(wording) };
}
