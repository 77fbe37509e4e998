import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

/** How many messages of ledgers may wait in the outbox for each phone, so that a direct send never stands behind many. */
export const waitingPerPhone = 100;

/** How many more messages of ledgers each of the account's phones takes, by the phone's id. */
export async function roomOfPhones(ctx: Context, phones: readonly { id: number }[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; waiting: number }>`
    /* prepared: room-of-phones */
    select p.id, waiting.count as waiting
      from unnest(${phones.map(({ id }) => id)}::bigint[]) as p (id)
     cross join lateral (
       select count(*)::int as count
         from (select from messages m where m.phone_id = p.id and m.status = 'pending' limit ${waitingPerPhone}) as few
     ) as waiting
  `.execute(ctx.db);
  return new Map(rows.map(({ id, waiting }) => [id, waitingPerPhone - waiting]));
}
