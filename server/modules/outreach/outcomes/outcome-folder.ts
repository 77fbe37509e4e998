import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { tryTurn } from '#server/platform/db/shared-names.ts';
import { createPolledService } from '#server/platform/polled-service.ts';
import type { Service } from '#server/platform/service.ts';

/** Readers add up what has gathered since. */
const pollMs = 2_000;
const failsAfterMs = 2 * 60_000;
const mostAtOnce = 5_000;

/** Keeps the tallies few: what they say is added to the totals and hours of their sources. */
export function createOutcomeFolder(ctx: Context): Service {
  return createPolledService(ctx, {
    name: 'outcomes',
    pollMs,
    failsAfterMs,
    async work({ isStopped }) {
      while (!isStopped() && (await foldOutcomes(ctx)) === mostAtOnce);
    },
  });
}

const counts = sql`sum(sent), sum(delivered), sum(read), sum(replied), sum(opted_out)`;
const added = sql`sent = c.sent + excluded.sent, delivered = c.delivered + excluded.delivered, read = c.read + excluded.read,
                  replied = c.replied + excluded.replied, opted_out = c.opted_out + excluded.opted_out`;

/** Of all processes one folds at a time. Answers how many tallies it took. */
async function foldOutcomes(ctx: Context): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    if (!(await tryTurn(tx.db, 'outcomes'))) return 0;
    const { rows } = await sql<{ taken: number }>`
      with gone as (
        delete from outcome_tallies
         where ctid = any(array(select ctid from outcome_tallies limit ${mostAtOnce}))
        returning *
      ), first_hours as materialized (
        select h.account_id, h.source, h.source_id, min(h.hour) as hour
          from outcome_hours h
         where (h.account_id, h.source, h.source_id) in (select account_id, source, source_id from gone)
         group by h.account_id, h.source, h.source_id
      ), totals as (
        insert into outcome_totals as c (account_id, source, source_id, sent, delivered, read, replied, opted_out)
        select account_id, source, source_id, ${counts} from gone group by account_id, source, source_id
        on conflict (account_id, source, source_id) do update set ${added}
      ), hours as (
        insert into outcome_hours as c (account_id, source, source_id, hour, sent, delivered, read, replied, opted_out)
        select account_id, source, source_id, hour, ${counts} from gone group by account_id, source, source_id, hour
        on conflict (account_id, source, source_id, hour) do update set ${added}
      ), minutes as (
        insert into outcome_minutes as c (account_id, source, source_id, minute, sent, delivered, read, replied)
        select account_id, source, source_id, minute, sum(sent), sum(delivered), sum(read), sum(replied) from gone
         where minute < coalesce((select f.hour from first_hours f
                                   where f.account_id = gone.account_id and f.source = gone.source
                                     and f.source_id = gone.source_id), minute) + interval '1 day'
         group by account_id, source, source_id, minute
        on conflict (account_id, source, source_id, minute) do update set
          sent = c.sent + excluded.sent, delivered = c.delivered + excluded.delivered, read = c.read + excluded.read,
          replied = c.replied + excluded.replied
      )
      select count(*)::int as taken from gone
    `.execute(tx.db);
    return rows[0]?.taken ?? 0;
  });
}
