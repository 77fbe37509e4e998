import type { Account, Tx } from '#server/context.ts';
import { findRules } from '#server/modules/audience/topics/index.ts';
import { boundOf, feedLedger, passKeyOf, waitingCount } from '#server/modules/outreach/recipients/index.ts';
import type { Fed } from '#server/modules/outreach/recipients/index.ts';
import { bulkLedger } from '../bulk-ledger.ts';
import { delayAllowance, pauseForTemplate } from '../bulk-run.ts';
import type { BulkRunRow, BulkRunStep, DelayAllowance } from '../bulk-run.ts';

/** The most rows that one transaction enqueues: the project's phones are locked meanwhile. */
const largestStep = 200;

export type Feeding = {
  step: BulkRunStep;
  /** When there is more to enqueue: at once, at a time, when the phones have drained; undefined: once notified. */
  next: 'now' | 'drained' | Date | undefined;
};

/**
 * Enqueues the next rows: no more than the phones drain soon and than the delay allows. Runs in the transaction that holds
 * the run's lock.
 */
export async function feedBulkRun(tx: Tx, run: BulkRunRow, account: Account): Promise<Feeding> {
  const now = tx.clock.now();
  const allowance = delayAllowance(run, now);
  if (allowance.count === 0 && waitingCount(run) > 0) return { step: {}, next: allowance.nextAt };
  const bound = await boundOf(tx, run);
  if (bound?.hold?.waitingFor === 'template_changed' && waitingCount(run) > 0)
    return { step: pauseForTemplate(run), next: undefined };
  const source = {
    account,
    sourceId: run.id,
    projectId: run.project_id,
    contentOf: () => ({ template: run.message, media: run.media, bound }),
    bound,
    passKey: passKeyOf(bound),
    rules: await findRules(tx, { accountId: account.id, source: 'bulk_run', sourceId: run.id }),
    waitingCount: waitingCount(run),
    queuedCount: run.queued_count,
    waiting: { waitingFor: run.waiting_for, waitingUntil: run.waiting_until },
  };
  const fed = await feedLedger(tx, bulkLedger, source, {
    most: Math.min(largestStep, allowance.count),
    after: run.fed_until,
  });
  const step = stepAfter(run, fed, allowance);
  return { step, next: nextAfter({ ...run, ...step }, fed, allowance) };
}

function stepAfter(run: BulkRunRow, fed: Fed, delay: DelayAllowance): BulkRunStep {
  const { handled, waitingFor, waitingUntil, recalled, isPaced } = fed;
  const step: BulkRunStep = {
    ...(run.waiting_for !== waitingFor && { waiting_for: waitingFor }),
    ...(run.waiting_until?.getTime() !== waitingUntil?.getTime() && { waiting_until: waitingUntil }),
    ...(recalled.length > 0 && {
      queued_count: run.queued_count - recalled.length,
      fed_until: Math.min(run.fed_until, ...recalled.map((row) => row - 1)),
    }),
  };
  const last = handled.at(-1);
  if (!last) return step;
  const queued = handled.filter(({ outcome }) => outcome.kind === 'queued').length;
  return {
    ...step,
    queued_count: run.queued_count - recalled.length + queued,
    skipped_count: run.skipped_count + handled.length - queued,
    ...(!isPaced && recalled.length === 0 && { fed_until: last.key }),
    // Skipped rows cost no delay.
    ...(queued > 0 && { last_fed_at: delay.lastFedAt }),
  };
}

function nextAfter(run: BulkRunRow, fed: Fed, { nextAt }: DelayAllowance): Feeding['next'] {
  if (fed.nextAt) return fed.nextAt;
  if (fed.isBlocked) return fed.waitingFor === null ? 'drained' : undefined;
  if (waitingCount(run) === 0) return undefined;
  const hasQueued = fed.handled.some(({ outcome }) => outcome.kind === 'queued');
  return hasQueued ? nextAt : 'now';
}
