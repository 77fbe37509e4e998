import { authKeyScopes } from '#contracts/permissions.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { getProject } from '../get-project.ts';
import { openAuthKey } from '../project-keys.ts';
import { hintOf } from './project-key.ts';
import { storedScopes } from './stored-scopes.ts';

const hourMs = 60 * 60_000;

/** Lets the auth key that is about to be replaced go on for a while, as one of the project's keys. */
export async function keepAuthKey(
  tx: Tx<AccountContext>,
  { projectId, overlapHours }: { projectId: number; overlapHours: number },
): Promise<void> {
  if (overlapHours === 0) return;
  const project = await getProject(tx, projectId);
  const now = tx.clock.now();
  await tx.db
    .insertInto('project_keys')
    .values({
      account_id: project.account_id,
      project_id: project.id,
      name: 'Auth key, replaced',
      key_hash: project.auth_key_hash,
      hint: hintOf(openAuthKey(tx.secrets, project)),
      ...storedScopes(authKeyScopes),
      addresses: [],
      expires_at: new Date(now.getTime() + overlapHours * hourMs),
      last_used_at: project.auth_key_used_at,
      replaced_at: now,
      created_at: project.created_at,
    })
    .execute();
}
