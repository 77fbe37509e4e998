import { sql } from 'kysely';
import type { CapPriority } from '#contracts/caps.ts';
import type { Account, Tx } from '#server/context.ts';
import { phoneKey } from '#server/modules/audience/profiles/index.ts';
import { dayAfter, localDay, startOfLocalDay } from '#server/platform/wall-clock.ts';
import { roomFor } from './count-day.ts';
import type { Had } from './count-day.ts';
import { findCaps, hasCaps } from './find-caps.ts';

/** Whom a source is about to write to; `phone` is in digits. */
export type Wish = { key: number; phone: string; profileId: number | null };

type Asking = {
  account: Account;
  source: 'campaign' | 'flow';
  sourceId: number;
  topicId: number | null;
  priority: CapPriority;
  wishes: readonly Wish[];
};

/** `over`: the keys of those who have had as many as they may; `until` is when there may be room again. */
export type Capping = {
  over: ReadonlySet<number>;
  until: Date;
  /** Notes the messages of those that were taken, in the same transaction. */
  reserve(taken: readonly { key: number; messageId: number }[]): Promise<void>;
};

/** Everybody may have another. */
export const uncapped: Capping = { over: new Set(), until: new Date(0), reserve: async () => undefined };

/**
 * Decides who may have another message today. The numbers are locked until the transaction ends, in the order of their
 * keys, so that sources side by side count each other's messages.
 */
export async function capWishes(tx: Tx, asking: Asking): Promise<Capping> {
  const { account, topicId, wishes } = asking;
  if (wishes.length === 0 || !(await hasCaps(tx, account.id))) return uncapped;
  const caps = await findCaps(tx, { accountId: account.id, topicId });
  const today = localDay(tx.clock.now(), account.timezone);
  const keyed = wishes.map((wish) => ({ ...wish, phoneKey: phoneKey(wish.phone) }));
  const keys = [...new Set(keyed.map((wish) => wish.phoneKey))].toSorted();
  await lockNumbers(tx, account.id, keys);
  const had = await findHad(tx, account.id, { keys, today });
  const ahead = caps.length === 0 ? new Map<number, number>() : await countAhead(tx, asking);
  const over = new Set<number>();
  for (const { key, phoneKey: number, profileId } of keyed) {
    const seen = had.get(number) ?? [];
    const room = roomFor(caps, seen) - (profileId === null ? 0 : (ahead.get(profileId) ?? 0));
    if (room <= 0) over.add(key);
    else had.set(number, [...seen, { topicId, isToday: true }]);
  }
  return {
    over,
    until: startOfLocalDay(dayAfter(today), account.timezone),
    async reserve(taken) {
      if (taken.length === 0) return;
      const numbers = new Map(keyed.map((wish) => [wish.key, wish.phoneKey]));
      await sql`
        insert into cap_reservations (account_id, message_id, phone_key, day, topic_id)
        select ${account.id}, message_id, phone_key, ${today}::date, ${topicId}
          from unnest(${taken.map(({ messageId }) => messageId)}::bigint[],
                      ${taken.map(({ key }) => numbers.get(key) ?? '')}::text[]) as x (message_id, phone_key)
      `.execute(tx.db);
    },
  };
}

async function lockNumbers(tx: Tx, accountId: number, keys: readonly string[]): Promise<void> {
  await sql`
    insert into cap_numbers (account_id, phone_key)
    select ${accountId}, phone_key from unnest(${keys}::text[]) as x (phone_key) order by phone_key collate "C"
    on conflict do nothing
  `.execute(tx.db);
  await sql`
    select from cap_numbers where account_id = ${accountId} and phone_key = any(${keys}::text[])
     order by phone_key for update
  `.execute(tx.db);
}

const dayOf = sql`to_char(r.day, 'YYYY-MM-DD')`;

async function findHad(
  tx: Tx,
  accountId: number,
  { keys, today }: { keys: readonly string[]; today: string },
): Promise<Map<string, Had[]>> {
  const { rows } = await sql<{ phone_key: string; topic_id: number | null; day: string }>`
    select r.phone_key, r.topic_id, ${dayOf} as day from cap_reservations r
     where r.account_id = ${accountId} and r.phone_key = any(${keys}::text[]) and not r.is_released
       and r.day > ${today}::date - 7 and r.day <= ${today}::date
  `.execute(tx.db);
  const had = new Map<string, Had[]>();
  for (const { phone_key: key, topic_id: topicId, day } of rows) {
    had.set(key, [...(had.get(key) ?? []), { topicId, isToday: day === today }]);
  }
  return had;
}

const above: Readonly<Record<CapPriority, readonly CapPriority[]>> = {
  high: [],
  normal: ['high'],
  low: ['high', 'normal'],
};

/**
 * By profile: for how many sources of a higher priority it waits, which go first. None of those that nobody knows when
 * they go on, for want of a phone say.
 */
async function countAhead(
  tx: Tx,
  { account, source, sourceId, priority, wishes }: Asking,
): Promise<Map<number, number>> {
  const higher = above[priority];
  const profileIds = wishes.flatMap(({ profileId }) => profileId ?? []);
  if (higher.length === 0 || profileIds.length === 0) return new Map();
  const goesFirst = (kind: 'campaign' | 'flow') => sql`
    s.account_id = ${account.id} and not (${source === kind} and s.id = ${sourceId})
    and (s.waiting_for is null or s.waiting_until is not null)
    and coalesce((select r.priority from source_rules r
                   where r.account_id = s.account_id and r.source = ${sql.lit(kind)} and r.source_id = s.id), 'normal')
        = any(${higher}::text[])`;
  const { rows } = await sql<{ profile_id: number; count: number }>`
    select profile_id, count(*)::int as count from (
      select e.profile_id
        from campaigns s
       cross join lateral (select profile_id from campaign_recipients
                            where account_id = s.account_id and campaign_id = s.id and status = 'waiting'
                              and profile_id = any(${profileIds}::bigint[]) offset 0) as e
       where s.status = 'running' and ${goesFirst('campaign')}
       union all
      select e.profile_id
        from flows s
       cross join lateral (select profile_id from flow_deliveries
                            where account_id = s.account_id and flow_id = s.id and status = 'waiting'
                              and profile_id = any(${profileIds}::bigint[]) offset 0) as e
       where s.is_active and s.waiting_count > 0 and ${goesFirst('flow')}
    ) as ahead
    group by profile_id
  `.execute(tx.db);
  return new Map(rows.map(({ profile_id: id, count }) => [id, count]));
}
