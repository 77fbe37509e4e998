import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { noteInDirectory } from '#server/modules/identity/cells/index.ts';
import { recordDestinationChange } from '#server/modules/identity/users/index.ts';
import type { Origin } from '#server/modules/identity/users/index.ts';
import { changeProject } from './change-project.ts';
import { lockProject } from './hold-project.ts';
import { keepAuthKey } from './keys/replaced-auth-key.ts';
import { newAuthKey, newWebhookSecret } from './project-keys.ts';
import type { ProjectRow } from './tables.ts';

type Rotation = { projectId: number; origin: Origin };

/** The old key stops at once, unless it is to go on for some hours. */
export function rotateAuthKey(
  ctx: AccountContext,
  { overlapHours, ...input }: Rotation & { overlapHours: number },
): Promise<ProjectRow> {
  return inTransaction(ctx, async (tx) => {
    await lockProject(tx, { accountId: tx.account.id, projectId: input.projectId });
    await keepAuthKey(tx, { projectId: input.projectId, overlapHours });
    const columns = { ...newAuthKey(tx.secrets), auth_key_used_at: null };
    await noteInDirectory(tx, [{ keyHash: columns.auth_key_hash }]);
    return rotate(tx, input, { columns, type: 'auth_key_rotated' });
  });
}

const hourMs = 60 * 60_000;

/** Every attempt from now on is signed with the new secret, those of older events included; for some hours with both. */
export function rotateWebhookSecret(
  ctx: AccountContext,
  { overlapHours, ...input }: Rotation & { overlapHours: number },
): Promise<ProjectRow> {
  return inTransaction(ctx, async (tx) => {
    const old = await lockProject(tx, { accountId: tx.account.id, projectId: input.projectId });
    const columns = {
      ...newWebhookSecret(tx.secrets, tx.account.id),
      old_webhook_secret_sealed: overlapHours > 0 ? (old?.webhook_secret_sealed ?? null) : null,
      old_webhook_secret_until: overlapHours > 0 ? new Date(tx.clock.now().getTime() + overlapHours * hourMs) : null,
    };
    return rotate(tx, input, { columns, type: 'webhook_secret_rotated' });
  });
}

function rotate(
  ctx: AccountContext,
  { projectId, origin }: Rotation,
  {
    columns,
    type,
  }: { columns: Parameters<typeof changeProject>[2]; type: 'auth_key_rotated' | 'webhook_secret_rotated' },
): Promise<ProjectRow> {
  return inTransaction(ctx, async (tx) => {
    const project = await changeProject(tx, projectId, columns);
    await recordDestinationChange(tx, { type, origin, detail: project.name });
    return project;
  });
}
