import { sql } from 'kysely';
import type { FailureCode } from '#contracts/failure-codes.ts';
import { retryableCodes } from '#contracts/reports.ts';
import type { Report } from '#contracts/reports.ts';
import type { AccountContext } from '#server/context.ts';
import { findOutcomes, outcomesOverTime } from '#server/modules/outreach/outcomes/index.ts';
import type { Outcomes } from '#server/modules/outreach/outcomes/index.ts';
import { entriesOf, ofSource } from '../ledger/ledger.ts';
import type { Ledger, SourceRef } from '../ledger/ledger.ts';

/** What the owner of a ledger knows of a source. */
export type ReportedSource = {
  sourceId: number;
  counts: Pick<Report, 'total' | 'sent' | 'failed' | 'skipped' | 'waiting'>;
  /** Where it has read them already. */
  outcomes?: Outcomes;
};

const mostReasons = 20;

/** The report of one source of a ledger. */
export async function reportOf(ctx: AccountContext, ledger: Ledger, source: ReportedSource): Promise<Report> {
  const { sourceId, counts } = source;
  const ref = { accountId: ctx.account.id, sourceId };
  const of = { source: ledger.name, sourceId };
  const [outcomes, overTime, failures, skips] = await Promise.all([
    source.outcomes ?? findOutcomes(ctx, of),
    outcomesOverTime(ctx, of),
    counts.failed === 0 ? [] : findFailures(ctx, ledger, ref),
    counts.skipped === 0 ? [] : findSkips(ctx, ledger, ref),
  ]);
  return {
    ...counts,
    ...outcomes,
    over_time: {
      step_hours: overTime.stepHours,
      spans: overTime.spans.map(({ at, ...span }) => ({ at: at.toISOString(), ...span })),
    },
    failures,
    skips,
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
    reason: reason ?? 'The reason is not known',
    count,
    can_retry: canRetry(code),
  }));
}

async function findSkips(ctx: AccountContext, ledger: Ledger, ref: SourceRef): Promise<Report['skips']> {
  const { rows } = await sql<{ reason: string | null; count: number }>`
    select reason, count(*)::int as count from ${entriesOf(ledger)}
     where ${ofSource(ledger, ref)} and status = 'skipped'
     group by reason order by count desc, reason limit ${mostReasons}
  `.execute(ctx.db);
  return rows.map(({ reason, count }) => ({ reason: reason ?? 'The reason is not known', count }));
}
