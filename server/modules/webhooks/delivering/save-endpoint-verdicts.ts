import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import { saveWebhookVerdicts, switchedOffReasons } from '#server/modules/projects/index.ts';
import type { WebhookVerdict } from '#server/modules/projects/index.ts';

/** What attempts at an endpoint have shown of it; one an endpoint. */
export type EndpointVerdict = WebhookVerdict & { queueId: number };

/** `id` is the project's. */
export type SwitchedOff = { account_id: number; id: number; reason: string; url: string | null };

/**
 * Keeps since when an endpoint fails, and switches off one that has failed for five days or says that it is gone; the
 * first one of a project is the project's own. One that somebody else is changing is left for the next attempt.
 */
export async function saveEndpointVerdicts(tx: Tx, verdicts: readonly EndpointVerdict[]): Promise<SwitchedOff[]> {
  const ofProjects = await saveWebhookVerdicts(
    tx,
    verdicts.filter(({ queueId }) => queueId < 0),
  );
  const further = await saveFurther(
    tx,
    verdicts.filter(({ queueId }) => queueId > 0),
  );
  return [...ofProjects.map((each) => ({ ...each, url: null })), ...further];
}

async function saveFurther(tx: Tx, verdicts: readonly EndpointVerdict[]): Promise<SwitchedOff[]> {
  if (verdicts.length === 0) return [];
  const now = tx.clock.now();
  const failingSince = new Date(now.getTime() - switchedOffReasons.failsForMs);
  const { rows } = await sql<SwitchedOff & { is_disabled: boolean }>`
    with changing as (
      select e.account_id, e.id, v.verdict,
        v.verdict = 'gone' or (v.verdict = 'fails' and e.failing_since <= ${failingSince}::timestamptz) as is_over
      from unnest(
        ${verdicts.map(({ accountId }) => accountId)}::bigint[], ${verdicts.map(({ queueId }) => queueId)}::bigint[],
        ${verdicts.map(({ url }) => url)}::text[], ${verdicts.map(({ verdict }) => verdict)}::text[]
      ) as v (account_id, id, url, verdict)
      join webhook_endpoints e on e.account_id = v.account_id and e.id = v.id and e.url = v.url
      where e.disabled_at is null
        and case v.verdict
          when 'works' then e.failing_since is not null
          when 'gone' then true
          else e.failing_since is null or e.failing_since <= ${failingSince}::timestamptz end
      for no key update of e skip locked
    )
    update webhook_endpoints e
    set failing_since = case when c.verdict <> 'works' then coalesce(e.failing_since, ${now}::timestamptz) end,
      disabled_at = case when c.is_over then ${now}::timestamptz end,
      disabled_reason = case
          when c.is_over and c.verdict = 'gone' then ${switchedOffReasons.gone}
          when c.is_over then ${switchedOffReasons.failing} end
    from changing c
    where e.account_id = c.account_id and e.id = c.id
    returning e.account_id, e.project_id as id, e.url, e.disabled_reason as reason,
      e.disabled_at is not null as is_disabled
  `.execute(tx.db);
  return rows.filter((row) => row.is_disabled);
}
