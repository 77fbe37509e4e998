import type { BulkRun } from '#contracts/bulk-runs.ts';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { useItemAction } from '#web/shared/use-item-action.ts';

type Action = 'start' | 'pause' | 'resume' | 'stop';

const words: Record<Action, { done: string; failed: string }> = {
  start: { done: 'Run started', failed: 'Failed to start the run' },
  pause: { done: 'Run paused', failed: 'Failed to pause the run' },
  resume: { done: 'Run resumed', failed: 'Failed to resume the run' },
  stop: { done: 'Run stopped', failed: 'Failed to stop the run' },
};

/** Starts, pauses, resumes or stops a run, and says so by toast. */
export const useBulkRunAction = (action: Action) =>
  useItemAction<BulkRun>({
    act: ({ id }) => callApi(`POST /api/bulk-runs/{runId}/${action}`, { params: { runId: id } }),
    ...words[action],
    itemKey: queryKeys.bulkRun,
    listKey: queryKeys.bulkRuns,
  });
