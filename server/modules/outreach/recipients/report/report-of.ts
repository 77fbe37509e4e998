import { sql } from 'kysely';
import type { FailureCode } from '#contracts/failure-codes.ts';
import { retryableCodes } from '#contracts/reports.ts';
import type { Report } from '#contracts/reports.ts';
import type { SkipCount } from '#contracts/skip-codes.ts';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import {
  findHolds,
  findOutcomes,
  outcomesByMinute,
  outcomesOverTime,
} from '#server/modules/outreach/outcomes/index.ts';
import { countClicked, findLinks } from '#server/modules/outreach/links/index.ts';
import type { Outcomes } from '#server/modules/outreach/outcomes/index.ts';
import { endedReason, unknownReason } from '../ledger/entry-reason.ts';
import { entriesOf, ofSource } from '../ledger/ledger.ts';
import type { Ledger, SourceRef } from '../ledger/ledger.ts';
import { skipCode } from '../skip-reason.ts';
import { byMinute } from './by-minute.ts';
import { costOf } from './cost-of.ts';

/** The facts about a source that the owner of a ledger has. */
export type ReportedSource = {
  sourceId: number;
  counts: Pick<Report, 'total' | 'sent' | 'failed' | 'skipped' | 'waiting'>;
  /** Where it has read them already. */
  outcomes?: Outcomes;
  /** Why a source that was cancelled skips the entries that still wait in its ledger. */
  cancelledReason?: string | undefined;
};

const mostReasons = 20;

/**
 * The report of one source of a ledger. `find` reads the source itself: all is read as of one moment, so that the
 * figures agree with each other whatever is sent meanwhile.
 */
export function reportOf<C extends AccountContext>(
  ctx: C,
  ledger: Ledger,
  find: (tx: Tx<C>) => Promise<ReportedSource>,
): Promise<Report> {
  return inTransaction(ctx, async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx.db);
    return readReport(tx, ledger, await find(tx));
  });
}

async function readReport(ctx: AccountContext, ledger: Ledger, source: ReportedSource): Promise<Report> {
  const { sourceId, counts } = source;
  const ref = { accountId: ctx.account.id, sourceId };
  const of = { source: ledger.name, sourceId };
  const asOf = ctx.clock.now();
  const outcomes = source.outcomes ?? (await findOutcomes(ctx, of));
  const overTime = await outcomesOverTime(ctx, of);
  const minutes = await outcomesByMinute(ctx, of);
  const hasFailures = counts.failed > 0;
  const failures = hasFailures ? await findFailureMinutes(ctx, ledger, ref) : [];
  const holds = await findHolds(ctx, of);
  return {
    as_of: asOf.toISOString(),
    ...counts,
    ...outcomes,
    clicked: await countClicked(ctx, of),
    links: await findLinks(ctx, of),
    over_time: {
      step_hours: overTime.stepHours,
      spans: overTime.spans.map(({ at, ...span }) => ({ at: at.toISOString(), ...span })),
    },
    by_minute: byMinute({ minutes, failures, sent: counts.sent, failed: counts.failed, asOf }),
    holds: holds.map(({ kind, began_at: begun, ended_at: ended }) => ({
      kind,
      began_at: begun.toISOString(),
      ended_at: ended?.toISOString() ?? null,
    })),
    cost: await costOf(ctx, ledger, ref),
    failures: hasFailures ? await findFailures(ctx, ledger, ref) : [],
    skips: counts.skipped === 0 ? [] : await findSkips(ctx, ledger, { ...ref, ...source }),
  };
}

const canRetry = (code: FailureCode | null) => (retryableCodes as readonly (FailureCode | null)[]).includes(code);

/** Reasons that differ only by what the network said are told apart by that. */
async function findFailures(ctx: AccountContext, ledger: Ledger, ref: SourceRef): Promise<Report['failures']> {
  const { rows } = await sql<{ code: FailureCode | null; reason: string | null; count: number }>`
    select m.error_code as code, coalesce(e.reason, m.error) as reason, count(*)::int as count
      from (select account_id, message_id, reason from ${entriesOf(ledger)}
             where ${ofSource(ledger, ref)} and status = 'failed') as e
      left join lateral (select error_code, error from messages
                          where account_id = e.account_id and id = e.message_id limit 1) as m on true
     group by m.error_code, coalesce(e.reason, m.error)
     order by count desc, code, reason
     limit ${mostReasons}
  `.execute(ctx.db);
  return rows.map(({ code, reason, count }) => ({
    code,
    reason: reason ?? unknownReason,
    count,
    can_retry: canRetry(code),
  }));
}

async function findFailureMinutes(ctx: AccountContext, ledger: Ledger, ref: SourceRef) {
  const { rows } = await sql<{ at: Date | null; count: number }>`
    select date_trunc('minute', changed_at) as at, count(*)::int as count from ${entriesOf(ledger)}
     where ${ofSource(ledger, ref)} and status = 'failed' group by at
  `.execute(ctx.db);
  return rows;
}

type Skipped = SourceRef & Pick<ReportedSource, 'cancelledReason'>;

async function findSkips(ctx: Context, ledger: Ledger, { cancelledReason, ...ref }: Skipped): Promise<Report['skips']> {
  const isSkipped = cancelledReason === undefined ? sql`status = 'skipped'` : sql`status in ('skipped', 'waiting')`;
  const { rows } = await sql<{ reason: string | null; count: number }>`
    select case status when 'waiting' then ${cancelledReason ?? null} else reason end as reason, count(*)::int as count
      from ${entriesOf(ledger)}
     where ${ofSource(ledger, ref)} and ${isSkipped}
     group by 1 order by count desc, reason limit ${mostReasons}
  `.execute(ctx.db);
  return rows.map(({ reason, count }) => ({ code: skipCode(reason), reason: reason ?? endedReason, count }));
}

/** Why people of a source were left out, by code, the most frequent first. */
export async function countSkips(ctx: Context, ledger: Ledger, source: Skipped): Promise<SkipCount[]> {
  const counts = new Map<SkipCount['code'], number>();
  for (const { code, count } of await findSkips(ctx, ledger, source)) counts.set(code, (counts.get(code) ?? 0) + count);
  return [...counts].map(([code, count]) => ({ code, count })).toSorted((a, b) => b.count - a.count);
}
