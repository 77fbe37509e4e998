import { sql } from 'kysely';
import type { Peer } from '#server/connectors/messaging/port.ts';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import { contactKey } from '#server/modules/messaging/messages/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { readReceiptNotifications } from '../channels.ts';

/** Of one conversation at a time, the latest; of one phone in one go. */
const mostPerConversation = 1_000;
const mostPerPhone = 256;
/** After a phone could not tell it, or its process ended while it did. */
const againAfterMs = 60_000;
/** Receipts that have waited for so long are dropped. */
const keptMs = 7 * 24 * 60 * 60_000;

type Read = { conversationId: number; upTo?: number | undefined };

/**
 * Has the senders of what is unread in a conversation told that it is read, where the project says so. Runs in the
 * transaction that reads it, before the conversation is locked: phones come first (docs/lock-order.md).
 */
export async function requestReadReceipts(tx: Tx<AccountContext>, { conversationId, upTo }: Read): Promise<void> {
  const now = tx.clock.now();
  const accountId = tx.account.id;
  const { rows } = await sql<{ phone_id: number }>`
    with unread as (
      select m.id, m.phone_id, m.network_id
        from conversations c
        join projects p on p.account_id = c.account_id and p.id = c.project_id and p.marks_read
       cross join lateral (
         select id, phone_id, network_id from messages
          where account_id = c.account_id and project_id = c.project_id and ${contactKey} = c.contact_key
            and direction = 'incoming' and type is distinct from 'reaction'
          order by id desc
          limit least(c.unread_count, ${mostPerConversation})
       ) m
       where c.account_id = ${accountId} and c.id = ${conversationId}
    ), owed as materialized (
      select unread.phone_id, unread.id
        from unread
        join phones on phones.account_id = ${accountId} and phones.id = unread.phone_id
       where unread.network_id is not null and unread.id <= coalesce(${upTo ?? null}::bigint, unread.id)
    ), told as (
      insert into read_receipts (account_id, phone_id, message_id, due_at, created_at)
      select ${accountId}::bigint, phone_id, id, ${now}::timestamptz, ${now}::timestamptz from owed
       order by id
      on conflict do nothing
      returning phone_id
    )
    select distinct phone_id from told
  `.execute(tx.db);
  const phoneIds = rows.map(({ phone_id }) => phone_id);
  await notify(tx.db, readReceiptNotifications(phoneIds));
}

/** The receipts that a phone owes to a person. */
export type ReadReceipts = {
  phoneId: number;
  peer: Peer;
  messages: { accountId: number; id: number; networkId: string }[];
};

type ClaimedRow = {
  account_id: number;
  phone_id: number;
  message_id: number;
  network_id: string | null;
  sender: string | null;
  from_lid: string | null;
  is_wanted: boolean | null;
};

/** Claims what these phones have to tell; what is of no use any more is forgotten. */
export async function claimReadReceipts(ctx: Context, phoneIds: readonly number[]): Promise<ReadReceipts[]> {
  if (phoneIds.length === 0) return [];
  const now = ctx.clock.now();
  const { rows } = await sql<ClaimedRow>`
    with due as (
      select r.account_id, r.message_id
        from unnest(${phoneIds}::bigint[]) as p (phone_id)
       cross join lateral (
         select account_id, message_id from read_receipts
          where phone_id = p.phone_id and due_at <= ${now}
          order by due_at
          limit ${mostPerPhone}
            for update skip locked
       ) r
    ), claimed as (
      update read_receipts r set due_at = ${new Date(now.getTime() + againAfterMs)}
        from due where r.account_id = due.account_id and r.message_id = due.message_id
      returning r.*
    )
    select claimed.account_id, claimed.phone_id, claimed.message_id, m.network_id, m.sender, m.from_lid,
           p.marks_read and claimed.created_at > ${new Date(now.getTime() - keptMs)} as is_wanted
      from claimed
      left join messages m on m.account_id = claimed.account_id and m.id = claimed.message_id
      left join projects p on p.account_id = m.account_id and p.id = m.project_id
     order by claimed.message_id
  `.execute(ctx.db);
  const useless = rows.filter((row) => !row.is_wanted || row.network_id === null);
  await forget(
    ctx,
    useless.map((row) => ({ accountId: row.account_id, id: row.message_id })),
  );
  return grouped(rows.filter((row) => !useless.includes(row)));
}

function grouped(rows: readonly ClaimedRow[]): ReadReceipts[] {
  const byPeer = new Map<string, ReadReceipts>();
  for (const row of rows) {
    const peer = row.sender === null ? { lid: row.from_lid ?? '' } : { number: row.sender };
    const key = `${row.phone_id} ${row.sender ?? row.from_lid}`;
    const receipts = byPeer.get(key) ?? { phoneId: row.phone_id, peer, messages: [] };
    receipts.messages.push({ accountId: row.account_id, id: row.message_id, networkId: row.network_id ?? '' });
    byPeer.set(key, receipts);
  }
  return [...byPeer.values()];
}

/** Tells one person, and forgets it once that has left; what has not is due again by itself. */
export async function tellRead(
  ctx: Context,
  { peer, messages }: ReadReceipts,
  markRead: (peer: Peer, networkIds: readonly string[]) => Promise<void>,
): Promise<void> {
  await markRead(
    peer,
    messages.map(({ networkId }) => networkId),
  );
  await forget(ctx, messages);
}

/** Of phones that never came back. */
export async function removeOldReadReceipts(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - keptMs);
  // account-wide: those of all accounts.
  await ctx.db.deleteFrom('read_receipts').where('created_at', '<', before).execute();
}

async function forget(ctx: Context, messages: readonly { accountId: number; id: number }[]): Promise<void> {
  if (messages.length === 0) return;
  await sql`
    delete from read_receipts
     where (account_id, message_id) in (
       select * from unnest(${messages.map(({ accountId }) => accountId)}::bigint[], ${messages.map(({ id }) => id)}::bigint[]))
  `.execute(ctx.db);
}
