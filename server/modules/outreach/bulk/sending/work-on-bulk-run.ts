import { accountHoldAt } from '#server/account-access.ts';
import type { Context, Tx } from '#server/context.ts';
import { inStep } from '#server/modules/outreach/recipients/index.ts';
import type { SourceStep } from '#server/modules/outreach/recipients/index.ts';
import { bulkLedger } from '../bulk-ledger.ts';
import { complete, isDone } from '../bulk-run.ts';
import type { BulkRunRow, BulkRunStep } from '../bulk-run.ts';
import { announceBulkRun, saveBulkRun, takeBulkRun } from '../queries.ts';
import type { BulkRunRef } from '../queries.ts';
import { takeBackQueued } from '../take-back-queued.ts';
import { feedBulkRun } from './feed-bulk-run.ts';
import type { Feeding } from './feed-bulk-run.ts';

/**
 * Takes a run one step further, in one transaction: its state, its rows and their messages are there together or not at
 * all. The lock on it keeps other processes at others.
 */
export async function workOnBulkRun(ctx: Context, ref: BulkRunRef): Promise<SourceStep> {
  const source = { ledger: bulkLedger, accountId: ref.accountId, sourceId: ref.runId };
  return inStep(ctx, source, async (tx) => {
    const taken = await takeBulkRun(tx, ref);
    if (!taken) return lookAfter(tx, ref);
    const { run, isTallied } = taken;
    const { step, next } = await decide(tx, run);
    const hasStepped = Object.keys(step).length > 0;
    if (hasStepped) await saveBulkRun(tx, run, step);
    // A message that a phone was sending as the run stopped may have come back since.
    if (run.queued_count > 0) await takeBackQueued(tx, run);
    if (step.status !== undefined) await announceBulkRun(tx, ref);
    return { next, hasChanged: hasStepped || isTallied };
  });
}

/** Somebody else has it, or it is gone and leaves tallies that came after. */
async function lookAfter(tx: Tx, { accountId, runId }: BulkRunRef): Promise<SourceStep> {
  const run = await tx.db
    .selectFrom('bulk_runs')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', runId)
    .executeTakeFirst();
  if (run) return { next: 'busy', hasChanged: false };
  await tx.db
    .deleteFrom('bulk_run_tallies')
    .where('account_id', '=', accountId)
    .where('bulk_run_id', '=', runId)
    .execute();
  return { next: undefined, hasChanged: false };
}

async function decide(tx: Tx, run: BulkRunRow): Promise<{ step: BulkRunStep; next: Feeding['next'] }> {
  if (run.status !== 'running') return { step: {}, next: undefined };
  const now = tx.clock.now();
  if (isDone(run)) return { step: complete(now), next: undefined };
  const account = await tx.db
    .selectFrom('accounts')
    .select(['id', 'timezone'])
    .select(accountHoldAt(now).as('hold'))
    .where('id', '=', run.account_id)
    .executeTakeFirst();
  const hold = account ? account.hold : 'subscription';
  if (!account || hold) {
    const isNoted = run.waiting_for === hold;
    return { step: isNoted ? {} : { waiting_for: hold, waiting_until: null }, next: undefined };
  }
  const feeding = await feedBulkRun(tx, run, account);
  const isOver = isDone({ ...run, ...feeding.step });
  return isOver ? { step: { ...feeding.step, ...complete(now) }, next: undefined } : feeding;
}
