import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';

/**
 * People who wrote to a phone before it was linked are known to it; that answers nothing that was sent since, and a refusal that
 * came later stands.
 */
export async function noteEarlierWriter(
  tx: Tx,
  { accountId, phoneId, person, wrote }: Extract<DomainEvent, { type: 'chat.taken_over' }>,
): Promise<void> {
  if (!wrote) return;
  await sql`
    insert into phone_contacts as c (account_id, phone_id, phone_key, wrote_at)
    values (${accountId}, ${phoneId}, phone_key(${person}), ${wrote.at})
    on conflict (phone_id, phone_key) do update set wrote_at = greatest(c.wrote_at, excluded.wrote_at)
  `.execute(tx.db);
}
