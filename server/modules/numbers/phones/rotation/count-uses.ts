import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ProjectScope, Tx } from '#server/context.ts';
import { columnsOf } from '#server/platform/db/any-length.ts';
import type { RotationPhone } from './assign-phones.ts';
import { openCount } from './daily-count.ts';
import type { Moment } from './daily-count.ts';

/** The day under which each phone counts its next messages, by the phone's id: `counted_day` of what it takes. */
export function countedDays(phones: readonly RotationPhone[], at: Moment): Map<number, string> {
  const distinct = new Map(phones.map((phone) => [phone.id, phone]));
  return new Map([...distinct].map(([id, phone]) => [id, openCount(phone, at).day]));
}

/**
 * The statement that counts messages on the phones that were chosen for them, in their order: for the daily maximum, and
 * so that each phone's turn follows its last. The project's phones are locked, and as they were read.
 */
export function countUses(
  { account, projectId }: ProjectScope,
  chosen: readonly RotationPhone[],
  now: Date,
): RawBuilder<unknown> {
  const uses = new Map<number, { phone: RotationPhone; count: number; place: number }>();
  chosen.forEach((phone, place) => uses.set(phone.id, { phone, count: (uses.get(phone.id)?.count ?? 0) + 1, place }));
  const counted = [...uses.values()].map((use) => ({
    ...use,
    ...openCount(use.phone, { now, timezone: account.timezone }),
  }));
  const of = columnsOf(counted);
  return sql`
    update phones p
       set daily_count = case when uses.is_new then 0 else p.daily_count end + uses.count,
           count_day = uses.day,
           count_ends_at = uses.ends_at,
           message_count = p.message_count + uses.count,
           rotation_turn = latest.turn + 1 + uses.place,
           last_used_at = ${now}
      from unnest(${of(({ phone }) => phone.id, 'bigint')}, ${of('count', 'int')}, ${of('place', 'int')},
                  ${of('day', 'date')}, ${of('endsAt', 'timestamptz')}, ${of('isNew', 'boolean')})
             as uses (phone_id, count, place, day, ends_at, is_new),
           (select max(rotation_turn) as turn from phones
             where account_id = ${account.id} and project_id = ${projectId}) as latest
     where p.account_id = ${account.id} and p.id = uses.phone_id`;
}

/** A message as its phone counted it; one that an earlier version counted has no day, and stays counted. */
export type Counted = { phone_id: number | null; counted_day: string | null };

/**
 * Gives the counts of messages that never reached the network back to the phones that counted them, each to its day: a
 * phone that has begun another day since counts that one alone. The phones are locked.
 */
export async function giveCountsBack(tx: Tx, accountId: number, messages: readonly Counted[]): Promise<void> {
  const counted = messages.filter((message) => message.phone_id !== null && message.counted_day !== null);
  if (counted.length === 0) return;
  await sql`
    with back as (
      select phone_id, day, count(*)::int as count
        from unnest(${counted.map((message) => message.phone_id)}::bigint[],
                    ${counted.map((message) => message.counted_day)}::date[]) as x (phone_id, day)
       group by phone_id, day
    )
    update phones p
       set daily_count = greatest(0, p.daily_count - given.of_day), message_count = greatest(0, p.message_count - given.of_all)
      from (select b.phone_id, sum(b.count) as of_all,
                   coalesce(sum(b.count) filter (where b.day = q.count_day), 0) as of_day
              from back b join phones q on q.account_id = ${accountId} and q.id = b.phone_id
             group by b.phone_id) as given
     where p.account_id = ${accountId} and p.id = given.phone_id
  `.execute(tx.db);
}
