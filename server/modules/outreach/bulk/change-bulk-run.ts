import type { BulkRun, BulkRunChange } from '#contracts/bulk-runs.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { requireCarriedText, takeCarried } from '#server/modules/messaging/media/index.ts';
import { holdProject } from '#server/modules/identity/projects/index.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { edit, pause, resume, start, stop } from './bulk-run.ts';
import type { BulkRunRow, BulkRunStep } from './bulk-run.ts';
import { presentBulkRun } from './present.ts';
import { announceBulkRun, getBulkRunRow, lockBulkRun, saveBulkRun } from './queries.ts';
import { takeBackQueued } from './take-back-queued.ts';

type Change = {
  runId: number;
  decide(run: BulkRunRow, now: Date): BulkRunStep;
  /** A further change in the same transaction. */
  follow?(tx: Tx<AccountContext>, after: BulkRunRow): Promise<void>;
};

/** Takes the run from one state to the next, under its lock: whoever hands out messages sees it before the next. */
async function changeBulkRun(ctx: AccountContext, { runId, decide, follow }: Change): Promise<BulkRun> {
  return inTransaction(ctx, async (tx) => {
    const before = await lockOwnRun(tx, runId);
    const after = await saveBulkRun(tx, before, decide(before, tx.clock.now()));
    await follow?.(tx, after);
    await announceBulkRun(tx, { accountId: tx.account.id, runId });
    return presentBulkRun(await getBulkRunRow(tx, runId));
  });
}

/** Throws 404 for one that is not there, or of another project than the caller's. */
export async function lockOwnRun(tx: Tx<AccountContext>, runId: number): Promise<BulkRunRow> {
  const row = await lockBulkRun(tx, { accountId: tx.account.id, runId });
  if (!row) throw new NotFoundError('Bulk run');
  return row;
}

export function updateBulkRun(
  ctx: AccountContext,
  { runId, change }: { runId: number; change: BulkRunChange },
): Promise<BulkRun> {
  return inTransaction(ctx, async (tx) => {
    // Deleting a project locks the runs before it.
    await lockOwnRun(tx, runId);
    if (change.project_id !== undefined) await holdProject(tx, change.project_id);
    const { media: asked, ...rest } = change;
    const media = asked ? await takeCarried(tx, { media: asked }) : asked;
    const decide = (run: BulkRunRow) => {
      const step = edit(run, { ...rest, media });
      const after = { ...run, ...step };
      if (change.message !== undefined || media !== undefined) requireCarriedText(after.message, after.media);
      return step;
    };
    return changeBulkRun(tx, { runId, decide });
  });
}

export function startBulkRun(ctx: AccountContext, { runId }: { runId: number }): Promise<BulkRun> {
  return changeBulkRun(ctx, { runId, decide: start });
}

export function pauseBulkRun(ctx: AccountContext, { runId }: { runId: number }): Promise<BulkRun> {
  return changeBulkRun(ctx, {
    runId,
    decide: pause,
    follow: takeBackQueued,
  });
}

export function resumeBulkRun(ctx: AccountContext, { runId }: { runId: number }): Promise<BulkRun> {
  return changeBulkRun(ctx, { runId, decide: resume });
}

export function stopBulkRun(ctx: AccountContext, { runId }: { runId: number }): Promise<BulkRun> {
  return changeBulkRun(ctx, {
    runId,
    decide: stop,
    follow: takeBackQueued,
  });
}
