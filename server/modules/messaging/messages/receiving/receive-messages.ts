import { sql } from 'kysely';
import type { Message } from '#contracts/messages.ts';
import type { IncomingMessage } from '#server/connectors/messaging/port.ts';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { profilesOfNumbers } from '#server/modules/audience/profiles/index.ts';
import { findSettings, mayBeReply, readReply } from '#server/modules/audience/suppressions/index.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { countMessages } from '#server/modules/messaging/counts/index.ts';
import { columnsOf } from '#server/platform/db/any-length.ts';
import { contentColumns } from '../content/incoming-columns.ts';
import type { RecordContent } from '../content/incoming-columns.ts';
import { presentMessage } from '../present.ts';
import type { MessageRow } from '../present.ts';
import { findAnswered } from './find-answered.ts';
import type { ReceivingPhone } from './find-in-chat.ts';
import { findUnknown } from './learn-number.ts';
import { markSeen } from './mark-seen.ts';
import { requestFetch } from './media-fetches.ts';
import { receiveMessage } from './receive-message.ts';

/** A message of which nothing but its record comes. */
export type PlainMessage = IncomingMessage & { peer: { number: string }; content: RecordContent };

const plainTypes: readonly RecordContent['type'][] = [
  'text',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contact',
  'poll',
  'order',
  'payment',
  'unsupported',
];

/**
 * Stores messages that came to one phone, in their order: those that follow each other and bring nothing but themselves
 * in one transaction, the others each in its own. Answers as `receiveMessage` does, for each.
 */
export async function receiveMessages(
  ctx: Context,
  phone: ReceivingPhone,
  arrived: readonly IncomingMessage[],
): Promise<(Message | undefined)[]> {
  const [only] = arrived;
  if (only && arrived.length === 1) return [await receiveMessage(ctx, phone, only)];
  const isPlain = await plainOnes(ctx, phone, arrived);
  const received: (Message | undefined)[] = [];
  let plain: PlainMessage[] = [];
  async function storePlain(): Promise<void> {
    if (plain.length > 0) received.push(...(await receiveTogether(ctx, phone, plain)));
    plain = [];
  }
  for (const message of arrived) {
    if (isPlain(message)) plain.push(message);
    else {
      await storePlain();
      received.push(await receiveMessage(ctx, phone, message));
    }
  }
  await storePlain();
  return received;
}

/** Tells which are neither a change of another message, nor one of the account's words, nor bring a number to learn. */
async function plainOnes(
  ctx: Context,
  phone: ReceivingPhone,
  arrived: readonly IncomingMessage[],
): Promise<(message: IncomingMessage) => message is PlainMessage> {
  const lids = arrived.flatMap(({ peer: { lid } }) => lid ?? []);
  const unknown = await findUnknown(ctx, phone, [...new Set(lids)]);
  // A LID that comes without its number may be followed by one with it.
  const hidden = new Set(arrived.flatMap(({ peer }) => (peer.number === undefined ? (peer.lid ?? []) : [])));
  const textOf = ({ content }: IncomingMessage) => ('text' in content ? content.text : '');
  const settings = arrived.some((message) => mayBeReply(textOf(message)))
    ? await findSettings(ctx, phone.accountId)
    : undefined;
  return (message): message is PlainMessage => {
    const { content, peer, isFromHandset } = message;
    if (isFromHandset || peer.number === undefined || !plainTypes.some((type) => type === content.type)) return false;
    if (peer.lid !== undefined && (unknown.has(peer.lid) || hidden.has(peer.lid))) return false;
    return settings === undefined || readReply(textOf(message), settings) === undefined;
  };
}

/** A message that was taken before is looked at alone, afterwards: it may fill a record that waited for it. */
async function receiveTogether(
  ctx: Context,
  phone: ReceivingPhone,
  messages: readonly PlainMessage[],
): Promise<(Message | undefined)[]> {
  const [only] = messages;
  if (only && messages.length === 1) return [await receiveMessage(ctx, phone, only)];
  const stored = await inTransaction(ctx, async (tx) => {
    const ids = await markSeen(tx, phone, messages);
    const fresh = messages.flatMap((message, index) => {
      const id = ids[index];
      return id === undefined ? [] : [{ ...message, id }];
    });
    const byId = new Map((await storeAll(tx, phone, fresh)).map((message) => [message.id, message]));
    return ids.map((id) => (id === undefined ? undefined : byId.get(id)));
  });
  const received: (Message | undefined)[] = [];
  for (const [index, message] of messages.entries())
    received.push(stored[index] ?? (await receiveMessage(ctx, phone, message)));
  return received;
}

type NewMessage = PlainMessage & { id: number };

async function storeAll(tx: Tx, phone: ReceivingPhone, messages: readonly NewMessage[]): Promise<Message[]> {
  if (messages.length === 0) return [];
  const { accountId, projectId } = phone;
  const rows = await insertAll(tx, phone, messages);
  await countMessages(
    tx,
    rows.map((after) => ({ before: undefined, after })),
  );
  for (const row of rows) if (row.media !== null) await requestFetch(tx, row);
  const names = new Map(messages.map(({ id, senderName }) => [id, senderName]));
  const events = rows.map((row) => ({
    accountId,
    projectId,
    at: tx.clock.now(),
    type: 'message.received' as const,
    data: presentMessage(row),
    senderName: names.get(row.id),
  }));
  await tx.onDomainEvents(tx, events);
  await publishLive(tx, accountId, {
    type: 'messages.changed',
    project_id: projectId,
    message_ids: rows.map(({ id }) => id),
  });
  return events.map(({ data }) => data);
}

async function insertAll(tx: Tx, phone: ReceivingPhone, messages: readonly NewMessage[]): Promise<MessageRow[]> {
  const now = tx.clock.now();
  const answered = await findAnswered(tx, phone, messages);
  const records = messages.map((message) => ({
    ...message,
    ...contentColumns(message.content, { context: message.context, secret: message.secret }),
    replyTo: answered.get(message.id),
  }));
  const column = columnsOf(records);
  const { rows } = await sql<MessageRow>`
    /* prepared: store-received */
    with profile as materialized (
      select * from ${profilesOfNumbers(
        phone.accountId,
        messages.map(({ peer }) => peer.number),
      )} as profile
    )
    insert into messages (account_id, project_id, id, phone_id, direction, sender, recipient, status, delivered_at,
                          created_at, network_id, sent_at, type, body, media, media_source, location, contacts,
                          protocol_type, reply_to, profile_id)
    select ${phone.accountId}::bigint, ${phone.projectId}::bigint, x.id, ${phone.phoneId}::bigint, 'incoming', x.sender,
           ${phone.number}::text, 'delivered', ${now}::timestamptz, ${now}::timestamptz, x.network_id, x.sent_at, x.type,
           x.body, x.media, x.media_source, x.location, x.contacts, x.protocol_type, x.reply_to, profile.profile_id
      from unnest(${column(({ id }) => id, 'bigint')}, ${column(({ peer }) => peer.number, 'text')},
                  ${column(({ networkId }) => networkId, 'text')}, ${column(({ at }) => at.toISOString(), 'timestamptz')},
                  ${column(({ type }) => type, 'text')}, ${column(({ body }) => body, 'text')},
                  ${column(({ media }) => media, 'jsonb')}, ${column(({ media_source: source }) => source, 'jsonb')},
                  ${column(({ location }) => location, 'jsonb')}, ${column(({ contacts }) => contacts, 'jsonb')},
                  ${column(({ protocol_type: protocol }) => protocol, 'text')},
                  ${column(({ replyTo }) => replyTo, 'bigint')})
             with ordinality as x (id, sender, network_id, sent_at, type, body, media, media_source, location, contacts,
                                   protocol_type, reply_to, place)
      left join profile using (place)
     order by x.place
    returning ${sql.raw(rowColumns.join(', '))}
  `.execute(tx.db);
  return rows.toSorted((a, b) => a.id - b.id);
}

/** Named, as a prepared statement would fail at a column that a later release adds. */
const rowColumns: readonly (keyof MessageRow)[] = [
  'account_id',
  'project_id',
  'id',
  'phone_id',
  'direction',
  'recipient',
  'sender',
  'body',
  'status',
  'error',
  'error_code',
  'network_id',
  'profile_id',
  'campaign_id',
  'flow_id',
  'bulk_run_id',
  'lease_token',
  'counted_day',
  'created_at',
  'sent_at',
  'delivered_at',
  'read_at',
  'type',
  'media',
  'media_source',
  'location',
  'contacts',
  'protocol_type',
  'reply_to',
  'quote',
  'reactions',
  'edited_at',
  'deleted_at',
  'metadata',
  'due_at',
  'source',
  'from_lid',
  'attempts',
  'retry_at',
  'override_opt_out',
  'is_queued',
];
