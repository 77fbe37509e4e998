import * as keys from '#contracts/project-keys.ts';
import * as contract from '#contracts/projects.ts';
import type { Project } from '#contracts/projects.ts';
import type { AccountContext } from '#server/context.ts';
import { originOf } from '#server/modules/identity/users/index.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { createProject } from './create-project.ts';
import { deleteProject } from './delete-project.ts';
import { getProject } from './get-project.ts';
import { createProjectKey, deleteProjectKey, rotateProjectKey } from './keys/create-key.ts';
import { listProjectKeys } from './keys/list-keys.ts';
import { listProjects } from './list-projects.ts';
import { presentProject } from './present.ts';
import type { ProjectStanding } from './present.ts';
import { rotateAuthKey, rotateWebhookSecret } from './rotate-project-keys.ts';
import type { ProjectRow } from './tables.ts';
import { updateProject } from './update-project.ts';
import { updateProjectWebhook } from './update-project-webhook.ts';

/** Facts about phones, whose module stands above projects, for a project's endpoints. */
export type ProjectPhones = {
  /** By the project's id. */
  findStandings(ctx: AccountContext, projectIds: readonly number[]): Promise<Map<number, ProjectStanding>>;
  signOutProjectPhones(ctx: AccountContext, input: { projectId: number }): Promise<void>;
};

export function projectRoutes(phones: ProjectPhones): Route[] {
  async function presentAll(ctx: AccountContext, rows: readonly ProjectRow[]): Promise<Project[]> {
    const standings = await phones.findStandings(
      ctx,
      rows.map(({ id }) => id),
    );
    return rows.flatMap((row) => {
      const state = standings.get(row.id);
      return state ? [presentProject(ctx, row, state)] : [];
    });
  }

  async function present(ctx: AccountContext, row: ProjectRow): Promise<Project> {
    const [project] = await presentAll(ctx, [row]);
    if (!project) throw new Error('A project was not presented');
    return project;
  }

  return [
    route(contract.listProjects, async (ctx) => ({ data: await presentAll(ctx, await listProjects(ctx)) })),
    route(contract.createProject, async (ctx, { body }, caller) =>
      present(ctx, await createProject(ctx, { ...body, origin: originOf(caller) })),
    ),
    route(contract.getProject, async (ctx, { params }) => present(ctx, await getProject(ctx, params.projectId))),
    route(contract.updateProject, async (ctx, { params, body }) =>
      present(ctx, await updateProject(ctx, { ...params, change: body })),
    ),
    route(contract.deleteProject, async (ctx, { params }) => {
      await getProject(ctx, params.projectId);
      await phones.signOutProjectPhones(ctx, params);
      await deleteProject(ctx, params);
      return undefined;
    }),
    route(contract.updateProjectWebhook, async (ctx, { params, body }, caller) =>
      present(ctx, await updateProjectWebhook(ctx, { ...params, ...body, origin: originOf(caller) })),
    ),
    route(contract.rotateAuthKey, async (ctx, { params, body }, caller) =>
      present(ctx, await rotateAuthKey(ctx, { ...params, overlapHours: body.overlap_hours, origin: originOf(caller) })),
    ),
    route(contract.rotateWebhookSecret, async (ctx, { params, body }, caller) =>
      present(
        ctx,
        await rotateWebhookSecret(ctx, { ...params, overlapHours: body.overlap_hours, origin: originOf(caller) }),
      ),
    ),
    route(contract.disconnectProject, async (ctx, { params }) => {
      // Another account's project must answer 404 whether it has phones or not.
      await getProject(ctx, params.projectId);
      await phones.signOutProjectPhones(ctx, params);
      return present(ctx, await getProject(ctx, params.projectId));
    }),
    route(keys.listProjectKeys, (ctx, { params }) => listProjectKeys(ctx, params)),
    route(keys.createProjectKey, (ctx, { params, body }, caller) =>
      createProjectKey(ctx, { ...params, ...body, origin: originOf(caller) }),
    ),
    route(keys.rotateProjectKey, (ctx, { params, body }, caller) =>
      rotateProjectKey(ctx, { ...params, overlapHours: body.overlap_hours, origin: originOf(caller) }),
    ),
    route(keys.deleteProjectKey, async (ctx, { params }, caller) => {
      await deleteProjectKey(ctx, { ...params, origin: originOf(caller) });
      return undefined;
    }),
  ];
}
