import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { isLeaseHeld } from './lease-end.ts';
import type { PhonesTable } from './tables.ts';
import type { Selectable } from 'kysely';

type Row = Pick<Selectable<PhonesTable>, 'id' | 'account_id' | 'status' | 'wanted'>;

/** A process that has said nothing for so long is gone. */
const seenWithinMs = 15_000;

/** The phones among these that want a session while no process holds them, and none has room for them. */
export async function findWithoutRoom(ctx: Context, rows: readonly Row[]): Promise<ReadonlySet<number>> {
  const waiting = rows.filter(({ status, wanted }) => status !== 'connected' && wanted !== 'offline');
  if (waiting.length === 0) return new Set();
  const { rows: found } = await sql<{ id: number }>`
    with living as (
      select held, most from phone_workers
       where seen_at > clock_timestamp() - ${seenWithinMs} * interval '1 millisecond'
    )
    select p.id
      from phones p
     where p.account_id = ${waiting[0]?.account_id} and p.id = any(${waiting.map(({ id }) => id)}::bigint[])
       and exists (select from living)
       and not exists (select from living where held is null or held < most)
       and not exists (select from phone_leases l where l.phone_id = p.id and ${isLeaseHeld()})
  `.execute(ctx.db);
  return new Set(found.map(({ id }) => id));
}
