import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Context, Tx } from '#server/context.ts';

type Ref = { accountId: number; messageIds: readonly number[] };

/** Of messages that are as if they had never been handed over. */
export async function forgetReservations(tx: Tx, { accountId, messageIds }: Ref): Promise<void> {
  if (messageIds.length === 0) return;
  await sql`
    delete from cap_reservations where account_id = ${accountId} and message_id = any(${messageIds}::bigint[])
  `.execute(tx.db);
}

type Settled = { account_id: number; message_id: number; isSent: boolean };

/** A message that did not go leaves room for another; one that a late receipt says to have gone takes it again. */
export async function settleReservations(tx: Tx, settled: readonly Settled[]): Promise<void> {
  if (settled.length === 0) return;
  await sql`
    /* prepared: settle-reservations, unread */
    update cap_reservations r set is_released = not x.is_sent
      from unnest(${settled.map((each) => each.account_id)}::bigint[],
                  ${settled.map((each) => each.message_id)}::bigint[],
                  ${settled.map(({ isSent }) => isSent)}::boolean[]) as x (account_id, message_id, is_sent)
     where r.account_id = x.account_id and r.message_id = x.message_id and r.is_released = x.is_sent
  `.execute(tx.db);
}

/** Days that no cap asks for any more. */
export async function removeOldReservations({ db, clock }: Context): Promise<void> {
  const before = new Date(clock.now().getTime() - 9 * 86_400_000).toISOString().slice(0, 10);
  // account-wide: time alone decides, whosever they are.
  await db.deleteFrom('cap_reservations').where('day', '<', before).execute();
}

type Asked = { account: RawBuilder<number>; phone: RawBuilder<string>; today: string };
type CapOf = { topicId: number | null; perDay: number | null; perWeek: number | null };

/** Whether a number has had as many messages as these caps allow, in SQL: for reviews. */
export function isCappedSql(caps: readonly CapOf[], { account, phone, today }: Asked): RawBuilder<boolean> {
  const counted = (topicId: number | null, days: RawBuilder<unknown>) => sql`
    (select count(*) from cap_reservations r
      where r.account_id = ${account} and r.phone_key = phone_key(${phone}) and not r.is_released and ${days}
        and ${topicId === null ? sql`true` : sql`r.topic_id = ${topicId}`})`;
  const parts = caps.flatMap(({ topicId, perDay, perWeek }) => [
    ...(perDay === null ? [] : [sql`${counted(topicId, sql`r.day = ${today}::date`)} >= ${perDay}`]),
    ...(perWeek === null
      ? []
      : [sql`${counted(topicId, sql`r.day > ${today}::date - 7 and r.day <= ${today}::date`)} >= ${perWeek}`]),
  ]);
  return parts.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(parts, sql` or `)})`;
}
