import { sql } from 'kysely';
import type { z } from 'zod';
import type { listDailyCounts as contract } from '#contracts/messages.ts';
import type { AccountContext } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import { lastDays, localDay, startOfLocalDay } from '#server/platform/wall-clock.ts';

type DailyCounts = z.output<(typeof contract.response)[200]>;
type Row = { day: number; sent: number; delivered: number; failed: number; received: number };

/** The account's messages of each of the last days, today last, by the day on which they were created. */
export async function listDailyCounts(ctx: AccountContext, input: { days: number }): Promise<DailyCounts> {
  const { id: accountId, timezone } = ctx.account;
  const days = lastDays(localDay(ctx.clock.now(), timezone), input.days);
  // Where days begin is given to the database: it may know a time zone by other rules, or not at all.
  const starts = days.map((day) => startOfLocalDay(day, timezone));
  const { rows } = await sql<Row>`
    select width_bucket(quarter_hour, ${starts}::timestamptz[]) as day, sum(sent) as sent,
           sum(delivered) as delivered, sum(failed) as failed, sum(received) as received
      from message_counts
     where account_id = ${accountId} and ${inScope(ctx)} and quarter_hour >= ${starts[0]}::timestamptz
     group by 1
  `.execute(ctx.db);
  const counted = new Map(rows.map(({ day, ...counts }) => [day, counts]));
  const nothing = { sent: 0, delivered: 0, failed: 0, received: 0 };
  return { data: days.map((date, index) => ({ date, ...(counted.get(index + 1) ?? nothing) })), timezone };
}
