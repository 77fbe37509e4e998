import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { phoneKey } from '#server/modules/audience/profiles/index.ts';
import { findSettings, hintsAtOptOut, readReply } from '#server/modules/audience/suppressions/index.ts';
import { handsetName } from './follow-people.ts';

type TakenOver = Extract<DomainEvent, { type: 'chat.taken_over' }>;

/**
 * Begins the conversation of a chat of before the link, or moves its end: done, unless the handset has not read it, which
 * is to be answered. A word that opts out does so in messages that arrive alone; here it leaves the mark.
 */
export async function takeOverChat(
  tx: Tx,
  { accountId, projectId, phoneId, person, number, name, unread, latest, wrote }: TakenOver,
): Promise<{ account_id: number; project_id: number; id: number }[]> {
  const mayWantOut = wrote !== null && (await asksToStop(tx, accountId, wrote.text));
  const { rows } = await sql<{ account_id: number; project_id: number; id: number }>`
    with handset as materialized (
      select ${handsetName(sql`${phoneId}::bigint`, sql`${phoneKey(person)}`)} as contact_name
    )
    insert into conversations as c (account_id, project_id, contact_key, phone, contact_name, phone_id, status,
                                    unread_count, may_want_to_opt_out, last_message_id, last_message_at)
    select ${accountId}::bigint, ${projectId}::bigint, ${phoneKey(person)}::text, ${number}::text,
           coalesce(contact_name, ${name ?? null}), ${phoneId}::bigint, ${unread > 0 ? 'open' : 'done'}::text,
           ${unread}::int, ${mayWantOut}::boolean, ${latest.id}::bigint, ${latest.at}::timestamptz
      from handset
    on conflict (account_id, project_id, contact_key) do update
      set phone = coalesce(c.phone, excluded.phone), phone_id = coalesce(c.phone_id, excluded.phone_id),
          contact_name = coalesce(c.contact_name, excluded.contact_name),
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
