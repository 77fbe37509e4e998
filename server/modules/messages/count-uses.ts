import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ProjectScope } from '#server/context.ts';

/** `today` is the account's calendar day. */
type Moment = { now: Date; today: string };

/**
 * The statement that counts messages on the phones that were chosen for them, in their order: for the daily maximum, and
 * so that each phone's turn follows its last. The project's phones are locked.
 */
export function countUses(
  { account, projectId }: ProjectScope,
  phoneIds: readonly number[],
  { now, today }: Moment,
): RawBuilder<unknown> {
  const uses = new Map<number, { count: number; place: number }>();
  phoneIds.forEach((id, place) => uses.set(id, { count: (uses.get(id)?.count ?? 0) + 1, place }));
  const counted = [...uses.values()];
  return sql`
    update phones p
       set daily_count = case when p.count_day = ${today}::date then p.daily_count else 0 end + uses.count,
           count_day = ${today}::date,
           message_count = p.message_count + uses.count,
           rotation_turn = latest.turn + 1 + uses.place,
           last_used_at = ${now}
      from unnest(${[...uses.keys()]}::bigint[], ${counted.map(({ count }) => count)}::int[],
                  ${counted.map(({ place }) => place)}::int[]) as uses (phone_id, count, place),
           (select max(rotation_turn) as turn from phones
             where account_id = ${account.id} and project_id = ${projectId}) as latest
     where p.account_id = ${account.id} and p.id = uses.phone_id`;
}
