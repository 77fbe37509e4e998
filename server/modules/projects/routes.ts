import * as contract from '#contracts/projects.ts';
import { originOf } from '#server/modules/accounts/index.ts';
import { answerLink, connectProjectPhone, signOutProjectPhones } from '#server/modules/phone-numbers/index.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { createProject } from './create-project.ts';
import { deleteProject } from './delete-project.ts';
import { getProject } from './get-project.ts';
import { listProjects } from './list-projects.ts';
import { rotateAuthKey, rotateWebhookSecret } from './rotate-project-keys.ts';
import { updateProject } from './update-project.ts';
import { updateProjectWebhook } from './update-project-webhook.ts';

export const projectRoutes: Route[] = [
  route(contract.listProjects, (ctx) => listProjects(ctx)),
  route(contract.createProject, (ctx, { body }) => createProject(ctx, body)),
  route(contract.getProject, (ctx, { params }) => getProject(ctx, params)),
  route(contract.updateProject, (ctx, { params, body }) => updateProject(ctx, { ...params, change: body })),
  route(contract.deleteProject, async (ctx, { params }) => {
    await deleteProject(ctx, params);
    return undefined;
  }),
  route(contract.updateProjectWebhook, (ctx, { params, body }) => updateProjectWebhook(ctx, { ...params, ...body })),
  route(contract.rotateAuthKey, (ctx, { params }, caller) =>
    rotateAuthKey(ctx, { ...params, origin: originOf(caller) }),
  ),
  route(contract.rotateWebhookSecret, (ctx, { params }, caller) =>
    rotateWebhookSecret(ctx, { ...params, origin: originOf(caller) }),
  ),
  route(contract.connectProject, async (ctx, { params }) => answerLink(await connectProjectPhone(ctx, params))),
  route(contract.disconnectProject, async (ctx, { params }) => {
    // Another account's project must answer 404 whether it has phones or not.
    await getProject(ctx, params);
    await signOutProjectPhones(ctx, params);
    return getProject(ctx, params);
  }),
];
