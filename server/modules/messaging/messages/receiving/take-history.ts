import { sql } from 'kysely';
import { mediaPlaceholder, personOfPeer } from '#server/connectors/messaging/port.ts';
import type { EarlierMessage, HistoryNews, Peer } from '#server/connectors/messaging/port.ts';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { countMessages } from '#server/modules/messaging/counts/index.ts';
import { beginHistory, growHistory, noteHistoryPiece, roomOfHistory } from '#server/modules/numbers/phones/index.ts';
import { findProfileOfNumber } from '#server/modules/audience/profiles/index.ts';
import { contentColumns } from '../content/incoming-columns.ts';
import type { RecordContent } from '../content/incoming-columns.ts';
import type { MessageRow } from '../present.ts';
import { contactKey } from '../thread.ts';
import type { ReceivingPhone } from './find-in-chat.ts';
import { requestFetch } from './media-fetches.ts';

type Chat = Extract<HistoryNews, { kind: 'chat' }>;
type EarlierFile = Extract<HistoryNews, { kind: 'file' }>;

const maxAttempts = 5;
/** Files of older messages may be gone by the time that they are fetched. */
const filesOfMs = 14 * 24 * 60 * 60_000;
const isRecent = (at: Date, now: number) => now - at.getTime() < filesOfMs;

/** The official API does not say how large a file is: so many bytes count against the room for files. */
const unknownSize = 1024 * 1024;
const sizeOf = (size: number | null | undefined) => size ?? unknownSize;

/**
 * Stores a part of the chats of before the link: no webhook tells of it, and it is no answer, no opt-out and no first
 * contact; who wrote is known from then on. The same part may come again. False: no more is taken.
 */
export async function takeHistory(ctx: Context, phone: ReceivingPhone, news: HistoryNews): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    if (news.kind === 'chat') return takeChat(tx, phone, news);
    if (news.kind === 'file') return takeFile(tx, phone, news);
    if (news.kind === 'begun') await beginHistory(tx, phone);
    else await noteHistoryPiece(tx, phone, { ...news, isFull: false });
    return true;
  });
}

async function takeChat(tx: Tx, phone: ReceivingPhone, chat: Chat): Promise<boolean> {
  const room = await roomOfHistory(tx, phone);
  if (!room) return false;
  const isKnown = await hasThread(tx, phone, chat.peer);
  if (room.messages <= 0 || (!isKnown && room.chats <= 0)) {
    await noteHistoryPiece(tx, phone, { percent: undefined, isLost: false, isLast: false, isFull: true });
    return false;
  }
  const now = tx.clock.now();
  const wanted = chat.messages.filter(({ at }) => at >= room.since && at <= now).slice(0, room.messages);
  const fresh = await withoutKnown(tx, phone, chat.peer, wanted, room.since);
  if (fresh.length === 0) return true;
  const rows = await store(tx, phone, chat.peer, { messages: fresh, fileBytes: room.fileBytes });
  if (rows.length === 0) return true;
  const files = rows.filter(({ media }) => media?.state === 'pending');
  for (const row of files) await requestFetch(tx, row);
  await countMessages(
    tx,
    rows.map((after) => ({ before: undefined, after })),
  );
  await growHistory(tx, phone, {
    messages: rows.length,
    chats: isKnown ? 0 : 1,
    fileBytes: files.reduce((sum, { media }) => sum + sizeOf(media?.size), 0),
  });
  const latest = rows.reduce((a, b) => (a.id > b.id ? a : b));
  const incoming = rows.filter(({ direction }) => direction === 'incoming').toSorted((a, b) => b.id - a.id);
  const { accountId, projectId, phoneId } = phone;
  await tx.onDomainEvents(tx, [
    {
      type: 'chat.taken_over',
      accountId,
      projectId,
      at: now,
      phoneId,
      person: personOfPeer(chat.peer),
      number: chat.peer.number ?? null,
      name: chat.name,
      unread: chat.unread,
      incoming: incoming.length,
      latest: { id: latest.id, at: latest.created_at },
      wrote: incoming[0] ? { at: incoming[0].created_at, text: incoming[0].body } : null,
    },
  ]);
  return true;
}

/**
 * Gives a message the file that its chat held a place for. A file that comes first is taken with its message, so that the
 * place finds that there; where nobody says whose it is, it is left.
 */
async function takeFile(tx: Tx, phone: ReceivingPhone, { peer, message }: EarlierFile): Promise<boolean> {
  const room = await roomOfHistory(tx, phone);
  const { accountId, projectId, phoneId } = phone;
  const place = await tx.db
    .selectFrom('messages')
    .selectAll()
    .where('phone_id', '=', phoneId)
    .where('network_id', '=', message.networkId)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  if (!place) {
    if (!peer) return true;
    await beginHistory(tx, phone);
    return takeChat(tx, phone, { kind: 'chat', peer, name: undefined, unread: 0, messages: [{ ...message, peer }] });
  }
  const { content, context, secret } = message;
  if (place.protocol_type !== mediaPlaceholder || place.deleted_at !== null || !('media' in content)) return true;
  const columns = contentColumns(content, { context, secret });
  const size = sizeOf(content.media.size);
  const takesFile = size <= (room?.fileBytes ?? 0) && isRecent(message.at, tx.clock.now().getTime());
  const row = await tx.db
    .updateTable('messages')
    .set({ ...columns, ...(!takesFile && { media: withoutFile(columns.media) }), protocol_type: null })
    .where('account_id', '=', accountId)
    .where('id', '=', place.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (takesFile) {
    await requestFetch(tx, row);
    await growHistory(tx, phone, { messages: 0, chats: 0, fileBytes: size });
  }
  await publishLive(tx, accountId, { type: 'messages.changed', project_id: projectId, message_ids: [row.id] });
  return true;
}

async function hasThread(tx: Tx, { accountId, projectId }: ReceivingPhone, peer: Peer): Promise<boolean> {
  const { rows } = await sql`
    select from messages
     where account_id = ${accountId} and project_id = ${projectId} and ${contactKey} = phone_key(${personOfPeer(peer)})
     limit 1
  `.execute(tx.db);
  return rows.length > 0;
}

/** Messages that are here already: of this link or an earlier one, sent from here or received. */
async function withoutKnown(
  tx: Tx,
  { accountId, projectId }: ReceivingPhone,
  peer: Peer,
  messages: readonly EarlierMessage[],
  since: Date,
): Promise<EarlierMessage[]> {
  const { rows } = await sql<{ network_id: string }>`
    select network_id from messages
     where account_id = ${accountId} and project_id = ${projectId} and ${contactKey} = phone_key(${personOfPeer(peer)})
       and id >= record_id_at(${since}) and network_id = any(${messages.map(({ networkId }) => networkId)}::text[])
  `.execute(tx.db);
  const known = new Set(rows.map(({ network_id }) => network_id));
  return messages.filter(({ networkId }) => {
    if (known.has(networkId)) return false;
    known.add(networkId);
    return true;
  });
}

/** Answers the records of those that nobody else took meanwhile. */
async function store(
  tx: Tx,
  phone: ReceivingPhone,
  peer: Peer,
  { messages, fileBytes, attempt = 0 }: { messages: readonly EarlierMessage[]; fileBytes: number; attempt?: number },
): Promise<MessageRow[]> {
  const taken = await markTaken(tx, phone, peer, messages);
  const now = tx.clock.now().getTime();
  const number = peer.number ?? null;
  const profileId = number === null ? null : await findProfileOfNumber(tx, phone.accountId, number);
  let room = fileBytes;
  const values = taken.map(({ id, message }) => {
    const { isFromHandset, at, status, networkId, context, secret } = message;
    const columns = contentColumns(message.content as RecordContent, { context, secret });
    const size = 'media' in message.content ? sizeOf(message.content.media.size) : 0;
    const takesFile = size <= room && isRecent(at, now);
    if (takesFile) room -= size;
    const delivered = status === 'sent' ? null : at;
    return {
      id,
      account_id: phone.accountId,
      project_id: phone.projectId,
      phone_id: phone.phoneId,
      source: 'history' as const,
      ...(isFromHandset
        ? { direction: 'outgoing' as const, sender: phone.number, recipient: number, status, delivered_at: delivered }
        : {
            direction: 'incoming' as const,
            sender: number,
            recipient: phone.number,
            status: 'delivered' as const,
            delivered_at: at,
          }),
      read_at: isFromHandset && status === 'read' ? at : null,
      from_lid: number === null ? (peer.lid ?? null) : null,
      ...columns,
      ...('media' in message.content && !takesFile && { media: withoutFile(columns.media) }),
      reply_to: null,
      sent_at: at,
      network_id: networkId,
      profile_id: profileId,
      created_at: at,
    };
  });
  if (values.length === 0) return [];
  const rows = await tx.db
    .insertInto('messages')
    .values(values)
    // An id of that very millisecond may be taken.
    .onConflict((conflict) => conflict.columns(['account_id', 'id']).doNothing())
    .returningAll()
    .execute();
  await tieAnswers(tx, phone, { rows, taken });
  const stored = new Set(rows.map(({ id }) => id));
  const left = taken.filter(({ id }) => !stored.has(id));
  if (left.length === 0 || attempt === maxAttempts) return rows;
  await tx.db
    .deleteFrom('incoming_messages_seen')
    .where('account_id', '=', phone.accountId)
    .where('phone_id', '=', phone.phoneId)
    .where(
      'message_id',
      'in',
      left.map(({ id }) => id),
    )
    .execute();
  const again = { messages: left.map(({ message }) => message), fileBytes: room, attempt: attempt + 1 };
  return [...rows, ...(await store(tx, phone, peer, again))];
}

const withoutFile = (media: unknown) =>
  typeof media === 'string' ? JSON.stringify({ ...(JSON.parse(media) as object), state: 'gone' }) : null;

type Taken = { id: number; message: EarlierMessage };

/**
 * Notes messages as seen, with ids of their own time, so that they stand in their place in the thread; the network names
 * seconds, and says their order within one.
 */
async function markTaken(
  tx: Tx,
  { accountId, phoneId }: ReceivingPhone,
  { number, lid }: Peer,
  messages: readonly EarlierMessage[],
): Promise<Taken[]> {
  const side = (isFromHandset: boolean, chat: string) => (isFromHandset ? `to:${chat}` : chat);
  const chat = number ?? `lid:${lid}`;
  const { rows } = await sql<{ message_id: number; network_id: string }>`
    with fresh as materialized (
      select x.sender, x.network_id, record_id_at(x.at) + nextval('record_id_seq'::regclass) as message_id
        from unnest(${messages.map(({ isFromHandset }) => side(isFromHandset, chat))}::text[],
                    ${messages.map(({ isFromHandset }) => side(isFromHandset, `lid:${lid}`))}::text[],
                    ${messages.map(({ networkId }) => networkId)}::text[],
                    ${placesOf(messages)}::timestamptz[]) as x (sender, by_lid, network_id, at)
       where not exists (
         select from incoming_messages_seen s
          where s.account_id = ${accountId} and s.phone_id = ${phoneId} and s.sender = x.by_lid
            and s.network_id = x.network_id)
    )
    insert into incoming_messages_seen (account_id, phone_id, sender, network_id, message_id, seen_at)
    select ${accountId}::bigint, ${phoneId}::bigint, sender, network_id, message_id, ${tx.clock.now()}::timestamptz from fresh
    on conflict do nothing
    returning message_id, network_id
  `.execute(tx.db);
  const ids = new Map(rows.map(({ message_id, network_id }) => [network_id, message_id]));
  return messages.flatMap((message) => {
    const id = ids.get(message.networkId);
    return id === undefined ? [] : [{ id, message }];
  });
}

/** Newest first: of one second each is a millisecond later than the next one. */
function placesOf(messages: readonly EarlierMessage[]): Date[] {
  const sizes = new Map<number, number>();
  for (const { at } of messages) sizes.set(at.getTime(), (sizes.get(at.getTime()) ?? 0) + 1);
  return messages.map(({ at }) => {
    const left = (sizes.get(at.getTime()) ?? 1) - 1;
    sizes.set(at.getTime(), left);
    return new Date(at.getTime() + Math.min(left, 999));
  });
}

/** Messages of this part that answer others of the conversation. */
async function tieAnswers(
  tx: Tx,
  { accountId, phoneId }: ReceivingPhone,
  { rows, taken }: { rows: readonly MessageRow[]; taken: readonly Taken[] },
): Promise<void> {
  const stored = new Set(rows.map(({ id }) => id));
  const answers = taken.flatMap(({ id, message: { replyTo } }) =>
    replyTo !== undefined && stored.has(id) ? [{ id, replyTo }] : [],
  );
  if (answers.length === 0) return;
  await sql`
    update messages m set reply_to = named.id
      from unnest(${answers.map(({ id }) => id)}::bigint[], ${answers.map(({ replyTo }) => replyTo)}::text[]) as a (id, network_id)
     cross join lateral (
       select n.id from messages n
        where n.account_id = ${accountId} and n.phone_id = ${phoneId} and n.network_id = a.network_id and n.id < a.id
        order by n.id desc limit 1) named
     where m.account_id = ${accountId} and m.id = a.id
  `.execute(tx.db);
}
