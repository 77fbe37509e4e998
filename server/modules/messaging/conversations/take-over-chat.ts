import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { phoneKey } from '#server/modules/audience/profiles/index.ts';
import { findSettings, hintsAtOptOut, readReply } from '#server/modules/audience/suppressions/index.ts';
import { handsetName } from './follow-people.ts';

type TakenOver = Extract<DomainEvent, { type: 'chat.taken_over' }>;

/**
 * Begins the conversation of a chat of before the link, or moves its end: done, unless the handset has not read it, which
 * is to be answered. Parts of a chat come in any order: together they make no more unread than the handset says, and
 * older ones none of a conversation that has been read here. A word that opts out does so in messages that arrive alone;
 * here it leaves the mark.
 */
export async function takeOverChat(
  tx: Tx,
  { accountId, projectId, phoneId, person, number, name, unread, incoming, latest, wrote }: TakenOver,
): Promise<{ account_id: number; project_id: number; id: number }[]> {
  const mayWantOut = wrote !== null && (await asksToStop(tx, accountId, wrote.text));
  const fresh = Math.min(unread, incoming);
  const isLater = sql`excluded.last_message_id > c.last_message_id`;
  const { rows } = await sql<{ account_id: number; project_id: number; id: number }>`
    with handset as materialized (
      select ${handsetName(sql`${phoneId}::bigint`, sql`${phoneKey(person)}`)} as contact_name
    )
    insert into conversations as c (account_id, project_id, contact_key, phone, contact_name, phone_id, status,
                                    unread_count, may_want_to_opt_out, last_message_id, last_message_at)
    select ${accountId}::bigint, ${projectId}::bigint, ${phoneKey(person)}::text, ${number}::text,
           coalesce(contact_name, ${name ?? null}), ${phoneId}::bigint, ${fresh > 0 ? 'open' : 'done'}::text,
           ${fresh}::int, ${mayWantOut}::boolean, ${latest.id}::bigint, ${latest.at}::timestamptz
      from handset
    on conflict (account_id, project_id, contact_key) do update
      set phone = coalesce(c.phone, excluded.phone), phone_id = coalesce(c.phone_id, excluded.phone_id),
          contact_name = coalesce(c.contact_name, excluded.contact_name),
          status = case when ${isLater} and excluded.unread_count > 0 then 'open' else c.status end,
          unread_count = case when ${isLater} or c.unread_count > 0
            then greatest(c.unread_count, least(${unread}::numeric, c.unread_count + excluded.unread_count))::int
            else c.unread_count end,
          may_want_to_opt_out = c.may_want_to_opt_out or (${isLater} and excluded.may_want_to_opt_out),
          last_message_id = greatest(c.last_message_id, excluded.last_message_id),
          last_message_at = greatest(c.last_message_at, excluded.last_message_at)
    returning c.account_id, c.project_id, c.id
  `.execute(tx.db);
  return rows;
}

async function asksToStop(tx: Tx, accountId: number, text: string): Promise<boolean> {
  if (hintsAtOptOut(text)) return true;
  return readReply(text, await findSettings(tx, accountId)) === 'opt_out';
}
