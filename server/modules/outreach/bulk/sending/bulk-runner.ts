import type { Context } from '#server/context.ts';
import { createSourceRunner } from '#server/modules/outreach/recipients/index.ts';
import type { Service } from '#server/platform/service.ts';
import { bulkRunsChannel } from '../channels.ts';
import { findOfAccount, findUnderWay } from './find-under-way.ts';
import { workOnBulkRun } from './work-on-bulk-run.ts';

/** However short the delay is: several rows go together then. */
const leastPauseMs = 200;

/** Feeds the outbox with the rows of bulk runs. */
export function createBulkRunner(ctx: Context): Service {
  return createSourceRunner(ctx, {
    name: 'bulk-runs',
    channel: bulkRunsChannel,
    findUnderWay: (options) => findUnderWay(ctx, options),
    findOfAccount: (accountId) => findOfAccount(ctx, accountId),
    step: ({ accountId, id }) => workOnBulkRun(ctx, { accountId, runId: id }),
    eventOf: (id) => ({ type: 'bulk_runs.changed', bulk_run_id: id }),
    leastPauseMs,
  });
}
