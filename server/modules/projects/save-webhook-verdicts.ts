import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';

/** What attempts at a project's webhook URL have shown of it; one a project. */
export type WebhookVerdict = {
  accountId: number;
  projectId: number;
  /** Says nothing about another URL that the project has by now. */
  url: string;
  verdict: 'works' | 'gone' | 'fails';
};

/** An endpoint that was switched off just now: nothing is sent to it until its URL is saved again. */
type DisabledEndpoint = { account_id: number; id: number; name: string; webhook_url: string; reason: string };

/** How long every attempt has to fail, and what is said of an endpoint that was switched off. */
export const switchedOffReasons = {
  failsForMs: 5 * 24 * 60 * 60 * 1000,
  gone: 'It answered 410 Gone, which says that it takes no webhooks any more.',
  failing: 'Every attempt has failed for five days.',
} as const;

/**
 * Keeps since when a project's endpoint fails, and switches off one that has failed for five days or says that it is
 * gone. A project that somebody else is changing is left for the next attempt.
 */
export async function saveWebhookVerdicts(tx: Tx, verdicts: readonly WebhookVerdict[]): Promise<DisabledEndpoint[]> {
  if (verdicts.length === 0) return [];
  const now = tx.clock.now();
  const failingSince = new Date(now.getTime() - switchedOffReasons.failsForMs);
  const { rows } = await sql<DisabledEndpoint & { is_disabled: boolean }>`
    with changing as (
      select p.account_id, p.id, v.verdict,
        v.verdict = 'gone' or (v.verdict = 'fails' and p.webhook_failing_since <= ${failingSince}::timestamptz) as is_over
      from unnest(
        ${verdicts.map(({ accountId }) => accountId)}::bigint[],
        ${verdicts.map(({ projectId }) => projectId)}::bigint[],
        ${verdicts.map(({ url }) => url)}::text[],
        ${verdicts.map(({ verdict }) => verdict)}::text[]
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
          when c.is_over and c.verdict = 'gone' then ${switchedOffReasons.gone}
          when c.is_over then ${switchedOffReasons.failing} end
    from changing c
    where p.account_id = c.account_id and p.id = c.id
    returning p.account_id, p.id, p.name, p.webhook_url, p.webhook_disabled_reason as reason,
      p.webhook_disabled_at is not null as is_disabled
  `.execute(tx.db);
  return rows.filter((row) => row.is_disabled);
}
