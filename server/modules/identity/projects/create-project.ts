import type { NewProject } from '#contracts/projects.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { findProjectLimit } from '#server/modules/identity/billing/index.ts';
import { noteInDirectory } from '#server/modules/identity/cells/index.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { ConflictError } from '#server/platform/errors.ts';
import type { Origin } from '#server/modules/identity/users/index.ts';
import { lockAccount } from '#server/modules/identity/accounts/index.ts';
import { checkWebhookUrl } from './check-webhook-url.ts';
import { newAuthKey, newWebhookSecret } from './project-keys.ts';
import type { ProjectRow } from './tables.ts';
import { recordUrlChange } from './update-project-webhook.ts';

class ProjectLimitError extends ConflictError {
  constructor(limit: number) {
    const projects = limit === 1 ? '1 project' : `${limit} projects`;
    super('project_limit', `Your plan includes ${projects}. Delete one to create another.`);
  }
}

export async function createProject(ctx: AccountContext, input: NewProject & { origin: Origin }): Promise<ProjectRow> {
  const { webhook_url: url = null, origin } = input;
  checkWebhookUrl(ctx, url);
  return inTransaction(ctx, async (tx) => {
    await requireRoom(tx);
    const row = await tx.db
      .insertInto('projects')
      .values({
        account_id: ctx.account.id,
        name: input.name,
        webhook_url: url,
        ...newAuthKey(ctx.secrets),
        ...newWebhookSecret(ctx.secrets, ctx.account.id),
        created_at: ctx.clock.now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    if (url !== null) await recordUrlChange(tx, { from: null, to: url, origin });
    await noteInDirectory(tx, [{ keyHash: row.auth_key_hash }]);
    await publishLive(tx, ctx.account.id, { type: 'projects.changed', project_id: row.id });
    return row;
  });
}

async function requireRoom(tx: Tx<AccountContext>): Promise<void> {
  // Locked: two creates at once must not both see room for the last project.
  await lockAccount(tx, tx.account.id);
  const { count } = await tx.db
    .selectFrom('projects')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', tx.account.id)
    .executeTakeFirstOrThrow();
  const limit = await findProjectLimit(tx, tx.account.id);
  if (count >= limit) throw new ProjectLimitError(limit);
}
