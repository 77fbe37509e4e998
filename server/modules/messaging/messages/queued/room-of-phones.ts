import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { isUnsent } from '#server/unsent.ts';

/** How many messages of ledgers may wait in the outbox for each phone, so that a direct send never stands behind many. */
export const waitingPerPhone = 100;

type Phone = { id: number; is_paced: boolean };

/**
 * How many more messages of ledgers each of the account's phones takes, by the phone's id: one that keeps a pace is given
 * its next message once the last one is out, or waits to be tried again.
 */
export async function roomOfPhones(ctx: Context, phones: readonly Phone[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; waiting: number; has_queued: boolean }>`
    /* prepared: room-of-phones */
    select p.id, waiting.count as waiting,
           exists (select from messages m where m.phone_id = p.id and m.status = 'pending' and m.is_queued
                      and m.network_id is null and ${isUnsent('m')}) as has_queued
      from unnest(${phones.map(({ id }) => id)}::bigint[]) as p (id)
     cross join lateral (
       select count(*)::int as count
         from (select from messages m where m.phone_id = p.id and m.status = 'pending' and ${isUnsent('m')}
                limit ${waitingPerPhone}) as few
     ) as waiting
  `.execute(ctx.db);
  const paced = new Set(phones.flatMap(({ id, is_paced: isPaced }) => (isPaced ? [id] : [])));
  return new Map(
    rows.map(({ id, waiting, has_queued: hasQueued }) => [
      id,
      paced.has(id) ? Number(!hasQueued) : waitingPerPhone - waiting,
    ]),
  );
}
