import type { Tx } from '#server/context.ts';
import { saveProjectVerdicts, saveVerdicts } from '#server/modules/projects/index.ts';
import type { SwitchedOff, Verdict, VerdictColumns } from '#server/modules/projects/index.ts';

/** What attempts at an endpoint have shown of it; one an endpoint. */
export type EndpointVerdict = Omit<Verdict, 'id'> & { projectId: number; queueId: number };

/** `url` is null where it is the project's own. */
export type SwitchedOffEndpoint = Omit<SwitchedOff, 'url'> & { url: string | null };

const endpointColumns: VerdictColumns = {
  table: 'webhook_endpoints',
  projectId: 'project_id',
  url: 'url',
  failingSince: 'failing_since',
  disabledAt: 'disabled_at',
  disabledReason: 'disabled_reason',
};

/** The first endpoint of a project is the project's own, and its queue has a negative id. */
export async function saveEndpointVerdicts(
  tx: Tx,
  verdicts: readonly EndpointVerdict[],
): Promise<SwitchedOffEndpoint[]> {
  const ofProjects = verdicts.filter(({ queueId }) => queueId < 0);
  const ofEndpoints = verdicts.filter(({ queueId }) => queueId > 0);
  const projects = await saveProjectVerdicts(
    tx,
    ofProjects.map((each) => ({ ...each, id: each.projectId })),
  );
  const endpoints = await saveVerdicts(
    tx,
    endpointColumns,
    ofEndpoints.map((each) => ({ ...each, id: each.queueId })),
  );
  return [...projects.map((each) => ({ ...each, url: null })), ...endpoints];
}
