import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import { judge, saveProjectVerdicts } from '#server/modules/identity/projects/index.ts';
import type { SwitchedOff, Verdict } from '#server/modules/identity/projects/index.ts';

/** The result of attempts at an endpoint; an endpoint has at most one. */
export type EndpointVerdict = Omit<Verdict, 'id'> & { projectId: number; queueId: number };

/** `url` is null where it is the project's own. */
export type SwitchedOffEndpoint = Omit<SwitchedOff, 'url'> & { url: string | null };

/** The first endpoint of a project is the project's own, and its queue has a negative id. */
export async function saveEndpointVerdicts(
  tx: Tx,
  verdicts: readonly EndpointVerdict[],
): Promise<SwitchedOffEndpoint[]> {
  const ofProjects = verdicts.filter(({ queueId }) => queueId < 0);
  const further = verdicts.filter(({ queueId }) => queueId > 0);
  const projects = await saveProjectVerdicts(
    tx,
    ofProjects.map((each) => ({ ...each, id: each.projectId })),
  );
  const endpoints = await saveFurther(
    tx,
    further.map((each) => ({ ...each, id: each.queueId })),
  );
  return [...projects.map((each) => ({ ...each, url: null })), ...endpoints];
}

async function saveFurther(tx: Tx, verdicts: readonly Verdict[]): Promise<SwitchedOff[]> {
  if (verdicts.length === 0) return [];
  const { changing, changes } = judge(
    tx,
    {
      table: 'webhook_endpoints',
      url: 'url',
      failingSince: 'failing_since',
      disabledAt: 'disabled_at',
      disabledReason: 'disabled_reason',
    },
    verdicts,
  );
  const { rows } = await sql<SwitchedOff & { is_disabled: boolean }>`
    /* prepared: save-endpoint-verdicts */
    with c as (${changing})
    update webhook_endpoints e set ${changes}
    from c
    where e.account_id = c.account_id and e.id = c.id
    returning e.account_id, e.project_id, e.url, e.disabled_reason as reason, e.disabled_at is not null as is_disabled
  `.execute(tx.db);
  return rows.filter((row) => row.is_disabled);
}
