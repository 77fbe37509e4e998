import type { AccountContext } from '#server/context.ts';
import { recordingAct } from '#server/audit.ts';
import { announceProjectKeys, publishLive } from '#server/modules/identity/live/index.ts';
import { longStatementMs, setStatementTimeout } from '#server/platform/db/timeouts.ts';
import { NotFoundError } from '#server/platform/errors.ts';

/** Removes a project with all that belongs to it; its phones have been signed out on the network before. */
export async function deleteProject(ctx: AccountContext, input: { projectId: number }): Promise<void> {
  await recordingAct(ctx, async (tx) => {
    await setStatementTimeout(tx.db, longStatementMs);
    // Feeding locks the campaign, the flow or the bulk run, then the phones: the same order here.
    for (const table of ['campaigns', 'flows', 'bulk_runs'] as const) {
      await tx.db
        .selectFrom(table)
        .select('id')
        .where('account_id', '=', ctx.account.id)
        .where('project_id', '=', input.projectId)
        .orderBy('id')
        .forUpdate()
        .execute();
    }
    // A phone's news lock the phone before its project: the same order here keeps the two from locking each other out.
    await tx.db
      .selectFrom('phones')
      .select('id')
      .where('account_id', '=', ctx.account.id)
      .where('project_id', '=', input.projectId)
      .orderBy('id')
      .forUpdate()
      .execute();
    const { numDeletedRows: deleted } = await tx.db
      .deleteFrom('projects')
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', input.projectId)
      .executeTakeFirst();
    if (deleted === 0n) throw new NotFoundError('Project');
    await announceProjectKeys(tx, ctx.account.id);
    await publishLive(tx, ctx.account.id, { type: 'projects.changed', project_id: input.projectId });
  });
}
