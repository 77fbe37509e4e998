import type { BulkRun, BulkRunChange } from '#contracts/bulk-runs.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { requireCarriedText, takeCarried } from '#server/modules/messaging/media/index.ts';
import { holdProject } from '#server/modules/identity/projects/index.ts';
import { changedTemplate, pinAnew, refuseBesideTemplate } from '#server/modules/outreach/recipients/index.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { findRules, setRules } from '#server/modules/audience/topics/index.ts';
import { edit, pause, requireDraft, resume, start, stop } from './bulk-run.ts';
import type { BulkRunRow, BulkRunStep } from './bulk-run.ts';
import { presentBulkRun } from './present.ts';
import { announceBulkRun, getBulkRunRow, lockBulkRun, saveBulkRun } from './queries.ts';
import { takeBackQueued } from './take-back-queued.ts';

type Change = {
  runId: number;
  decide(run: BulkRunRow, now: Date): BulkRunStep;
  /** Further columns of the same step. */
  complete?(tx: Tx<AccountContext>, before: BulkRunRow): Promise<BulkRunStep>;
  /** A further change in the same transaction. */
  follow?(tx: Tx<AccountContext>, after: BulkRunRow): Promise<void>;
};

/** Takes the run from one state to the next, under its lock: whoever hands out messages sees it before the next. */
async function changeBulkRun(ctx: AccountContext, { runId, decide, complete, follow }: Change): Promise<BulkRun> {
  return inTransaction(ctx, async (tx) => {
    const before = await lockOwnRun(tx, runId);
    const step = decide(before, tx.clock.now());
    const after = await saveBulkRun(tx, before, { ...step, ...(await complete?.(tx, before)) });
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
    const seen = await lockOwnRun(tx, runId);
    if (change.project_id !== undefined) await holdProject(tx, change.project_id);
    const { media: asked, template: wanted, topic_id: topicId, ...rest } = change;
    await changeTopic(tx, runId, topicId);
    const media = asked ? await takeCarried(tx, { media: asked }) : asked;
    const projectId = change.project_id ?? seen.project_id;
    const template = await changedTemplate(tx, { before: seen, projectId, wanted });
    const decide = (run: BulkRunRow) => {
      const step = edit(run, { ...rest, media, template });
      const after = { ...run, ...step };
      if (after.template) refuseBesideTemplate(after);
      else if (change.message !== undefined || media !== undefined || template !== undefined)
        requireCarriedText(after.message, after.media);
      return step;
    };
    return changeBulkRun(tx, { runId, decide });
  });
}

async function withTemplateOfToday(tx: Tx<AccountContext>, before: BulkRunRow): Promise<BulkRunStep> {
  const template = await pinAnew(tx, before);
  return template ? { template } : {};
}

/** Throws 409 `bulk_run_started` for another topic once it has been started. */
async function changeTopic(tx: Tx<AccountContext>, runId: number, topicId: number | null | undefined): Promise<void> {
  if (topicId === undefined) return;
  const of = { source: 'bulk_run', sourceId: runId } as const;
  const before = await findRules(tx, { accountId: tx.account.id, ...of });
  if (before.topic_id === topicId) return;
  requireDraft(await lockOwnRun(tx, runId));
  await setRules(tx, of, { given: { topic_id: topicId } });
}

export function startBulkRun(ctx: AccountContext, { runId }: { runId: number }): Promise<BulkRun> {
  return changeBulkRun(ctx, { runId, decide: start, complete: withTemplateOfToday });
}

export function pauseBulkRun(ctx: AccountContext, { runId }: { runId: number }): Promise<BulkRun> {
  return changeBulkRun(ctx, {
    runId,
    decide: pause,
    follow: takeBackQueued,
  });
}

export function resumeBulkRun(ctx: AccountContext, { runId }: { runId: number }): Promise<BulkRun> {
  return changeBulkRun(ctx, { runId, decide: resume, complete: withTemplateOfToday });
}

export function stopBulkRun(ctx: AccountContext, { runId }: { runId: number }): Promise<BulkRun> {
  return changeBulkRun(ctx, {
    runId,
    decide: stop,
    follow: takeBackQueued,
  });
}
