import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import type { OutcomeSource } from './tables.ts';

/** How many of its messages arrived and were read, and how many people answered or opted out. */
export type Outcomes = { delivered: number; read: number; replied: number; opted_out: number };

export const noOutcomes: Outcomes = { delivered: 0, read: 0, replied: 0, opted_out: 0 };

/** A row `o` of the source `s` with its outcomes, what is not folded yet added. */
export function outcomesOf(source: OutcomeSource): RawBuilder<unknown> {
  const ofSource = sql`account_id = s.account_id and source = ${source} and source_id = s.id`;
  const columns = sql`delivered, read, replied, opted_out`;
  return sql`lateral (
    select coalesce(sum(delivered), 0)::int as delivered, coalesce(sum(read), 0)::int as read,
           coalesce(sum(replied), 0)::int as replied, coalesce(sum(opted_out), 0)::int as opted_out
      from (select ${columns} from outcome_totals where ${ofSource}
            union all select ${columns} from outcome_tallies where ${ofSource}) as counted) o`;
}

/** Of one source. */
export async function findOutcomes(
  ctx: AccountContext,
  { source, sourceId }: { source: OutcomeSource; sourceId: number },
): Promise<Outcomes> {
  const { rows } = await sql<Outcomes>`
    select o.* from (values (${ctx.account.id}::bigint, ${sourceId}::bigint)) as s (account_id, id)
     cross join ${outcomesOf(source)}
  `.execute(ctx.db);
  return rows[0] ?? noOutcomes;
}

export type SourceRef = { source: OutcomeSource; sourceId: number };

/** `at` is when the span began; together the spans make the totals. */
export type OutcomeSpan = { at: Date; sent: number; delivered: number; read: number; replied: number };

const mostSpans = 200;

/** The events over time, in spans of as many hours as keep the list short; without empty spans. */
export async function outcomesOverTime(
  ctx: AccountContext,
  { source, sourceId }: SourceRef,
): Promise<{ stepHours: number; spans: OutcomeSpan[] }> {
  const ofSource = sql`account_id = ${ctx.account.id} and source = ${source} and source_id = ${sourceId}`;
  const hours = sql`(select hour, sent, delivered, read, replied from outcome_hours where ${ofSource}
                     union all select hour, sent, delivered, read, replied from outcome_tallies where ${ofSource})`;
  const { rows } = await sql<OutcomeSpan & { step: number }>`
    with hours as materialized ${hours}, bounds as (
      select min(hour) as first,
             greatest(1, ceil(extract(epoch from max(hour) - min(hour)) / 3600 / ${mostSpans}))::int as step from hours
    )
    select first + floor(extract(epoch from hour - first) / 3600 / step) * step * interval '1 hour' as at, step,
           sum(sent)::int as sent, sum(delivered)::int as delivered, sum(read)::int as read, sum(replied)::int as replied
      from hours cross join bounds
     group by at, step
     order by at
  `.execute(ctx.db);
  return {
    stepHours: rows[0]?.step ?? 1,
    spans: rows.map(({ at, sent, delivered, read, replied }) => ({ at, sent, delivered, read, replied })),
  };
}

/** `at` is when the minute began. */
export type OutcomeMinute = { at: Date; sent: number; delivered: number; read: number; replied: number };

/** The events minute by minute on the first day, in order; without empty minutes. */
export async function outcomesByMinute(ctx: AccountContext, { source, sourceId }: SourceRef): Promise<OutcomeMinute[]> {
  const ofSource = sql`account_id = ${ctx.account.id} and source = ${source} and source_id = ${sourceId}`;
  const { rows } = await sql<OutcomeMinute>`
    select minute as at, sum(sent)::int as sent, sum(delivered)::int as delivered, sum(read)::int as read,
           sum(replied)::int as replied
      from (select minute, sent, delivered, read, replied from outcome_minutes where ${ofSource}
            union all select minute, sent, delivered, read, replied from outcome_tallies
                       where ${ofSource} and minute is not null) as counted
     group by minute order by minute
  `.execute(ctx.db);
  return rows;
}

/** Deletes the outcomes of a deleted source. */
export async function forgetOutcomes(tx: Tx, { accountId, source, sourceId }: SourceRef & { accountId: number }) {
  const ofSource = sql`account_id = ${accountId} and source = ${source} and source_id = ${sourceId}`;
  await sql`delete from outcome_tallies where ${ofSource}`.execute(tx.db);
  await sql`delete from outcome_totals where ${ofSource}`.execute(tx.db);
  await sql`delete from outcome_hours where ${ofSource}`.execute(tx.db);
  await sql`delete from outcome_minutes where ${ofSource}`.execute(tx.db);
  await sql`delete from outcome_holds where ${ofSource}`.execute(tx.db);
  await sql`delete from message_answers where ${ofSource}`.execute(tx.db);
  await sql`delete from message_opt_outs where ${ofSource}`.execute(tx.db);
}

const dayMs = 86_400_000;

/** Of writes that no answer can count for any more, and of hours that no report shows. */
export async function removeOldOutcomes({ db, clock }: Context): Promise<void> {
  const ago = (days: number) => new Date(clock.now().getTime() - days * dayMs);
  // account-wide: time alone decides, whosever they are.
  await db.deleteFrom('last_writes').where('written_at', '<', ago(8)).execute();
  // account-wide: as above.
  await db.deleteFrom('outcome_hours').where('hour', '<', ago(400)).execute();
  // account-wide: as above.
  await db.deleteFrom('outcome_minutes').where('minute', '<', ago(400)).execute();
  // account-wide: as above.
  await db.deleteFrom('outcome_holds').where('began_at', '<', ago(400)).execute();
}
