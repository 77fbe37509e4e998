import type { Project } from '#contracts/projects.ts';
import type { AccountContext } from '#server/context.ts';
import { changeProject } from './change-project.ts';
import { newAuthKey, newWebhookSecret } from './project-keys.ts';

/** The old key stops at once. */
export function rotateAuthKey(ctx: AccountContext, input: { projectId: number }): Promise<Project> {
  return changeProject(ctx, input.projectId, newAuthKey(ctx.secrets));
}

/** Every attempt from now on is signed with the new secret, those of older events included. */
export function rotateWebhookSecret(ctx: AccountContext, input: { projectId: number }): Promise<Project> {
  return changeProject(ctx, input.projectId, newWebhookSecret(ctx.secrets, ctx.account.id));
}
