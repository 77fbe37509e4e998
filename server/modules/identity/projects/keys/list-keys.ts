import type { z } from 'zod';
import type { listProjectKeys as contract } from '#contracts/project-keys.ts';
import { authKeyScopes } from '#contracts/permissions.ts';
import type { AccountContext } from '#server/context.ts';
import { getProject } from '../get-project.ts';
import { openAuthKey } from '../project-keys.ts';
import { hintOf, presentKey } from './project-key.ts';

type Keys = z.output<(typeof contract.response)[200]>;

export async function listProjectKeys(ctx: AccountContext, { projectId }: { projectId: number }): Promise<Keys> {
  const project = await getProject(ctx, projectId);
  const rows = await ctx.db
    .selectFrom('project_keys')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('project_id', '=', projectId)
    .orderBy('id', 'desc')
    .execute();
  return {
    data: rows.map(presentKey),
    auth_key: {
      hint: hintOf(openAuthKey(ctx.secrets, project)),
      scopes: [...authKeyScopes],
      last_used_at: project.auth_key_used_at?.toISOString() ?? null,
    },
  };
}
