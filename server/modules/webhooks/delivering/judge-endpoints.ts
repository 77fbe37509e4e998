import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import type { SettledWebhook } from './settle-webhooks.ts';

/** An endpoint that was switched off just now: nothing is sent to it until its URL is saved again. */
export type DisabledEndpoint = { account_id: number; id: number; name: string; webhook_url: string; reason: string };

/** How long every attempt has to fail. */
const failsForMs = 5 * 24 * 60 * 60 * 1000;

const goneReason = 'It answered 410 Gone, which says that it takes no webhooks any more.';
const failingReason = 'Every attempt has failed for five days.';

type Verdict = 'works' | 'gone' | 'fails';

/** Undefined: the attempt says nothing about the endpoint of today. */
function verdictOf({ record, result }: SettledWebhook): Verdict | undefined {
  const isCounted = result.attempts > record.attempts;
  if (!isCounted || record.project_url === null) return undefined;
  if (result.status === 'success') return 'works';
  return result.statusCode === 410 ? 'gone' : 'fails';
}

const weight: Readonly<Record<Verdict, number>> = { fails: 0, gone: 1, works: 2 };

type Judged = { record: SettledWebhook['record']; verdict: Verdict };

/** One a project; one success outweighs what failed beside it. */
function judge(settled: readonly SettledWebhook[]): Judged[] {
  const judged = new Map<number, Judged>();
  for (const item of settled) {
    const verdict = verdictOf(item);
    if (verdict === undefined) continue;
    const before = judged.get(item.record.project_id);
    if (before && weight[before.verdict] >= weight[verdict]) continue;
    judged.set(item.record.project_id, { record: item.record, verdict });
  }
  return [...judged.values()];
}

/**
 * Keeps since when a project's endpoint fails, and switches off one that has failed for five days or says that it is
 * gone. A project that somebody else is changing is left for the next attempt.
 */
export async function judgeEndpoints(tx: Tx, settled: readonly SettledWebhook[]): Promise<DisabledEndpoint[]> {
  const judged = judge(settled);
  if (judged.length === 0) return [];
  const now = tx.clock.now();
  const failingSince = new Date(now.getTime() - failsForMs);
  const { rows } = await sql<DisabledEndpoint & { is_disabled: boolean }>`
    with changing as (
      select p.account_id, p.id, v.verdict,
        v.verdict = 'gone' or (v.verdict = 'fails' and p.webhook_failing_since <= ${failingSince}::timestamptz) as is_over
      from unnest(
        ${judged.map(({ record }) => record.account_id)}::bigint[],
        ${judged.map(({ record }) => record.project_id)}::bigint[],
        ${judged.map(({ record }) => record.url)}::text[],
        ${judged.map(({ verdict }) => verdict)}::text[]
      ) as v (account_id, id, url, verdict)
      join projects p on p.account_id = v.account_id and p.id = v.id and p.webhook_url = v.url
      where p.webhook_disabled_at is null
        and case v.verdict
          when 'works' then p.webhook_failing_since is not null
          when 'gone' then true
          else p.webhook_failing_since is null or p.webhook_failing_since <= ${failingSince}::timestamptz end
      for no key update of p skip locked
    )
    update projects p
    set webhook_failing_since = case
          when c.verdict <> 'works' then coalesce(p.webhook_failing_since, ${now}::timestamptz) end,
      webhook_disabled_at = case when c.is_over then ${now}::timestamptz end,
      webhook_disabled_reason = case
          when c.is_over and c.verdict = 'gone' then ${goneReason}
          when c.is_over then ${failingReason} end
    from changing c
    where p.account_id = c.account_id and p.id = c.id
    returning p.account_id, p.id, p.name, p.webhook_url, p.webhook_disabled_reason as reason,
      p.webhook_disabled_at is not null as is_disabled
  `.execute(tx.db);
  return rows.filter((row) => row.is_disabled);
}
