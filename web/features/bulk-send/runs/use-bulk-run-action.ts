import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { BulkRun } from '#contracts/bulk-runs.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';

type Action = 'start' | 'pause' | 'resume' | 'stop';

const words: Record<Action, { done: string; failed: string }> = {
  start: { done: 'Run started', failed: 'Failed to start the run' },
  pause: { done: 'Run paused', failed: 'Failed to pause the run' },
  resume: { done: 'Run resumed', failed: 'Failed to resume the run' },
  stop: { done: 'Run stopped', failed: 'Failed to stop the run' },
};

/** Starts, pauses, resumes or stops a run, and says so by toast. */
export function useBulkRunAction(action: Action) {
  const queryClient = useQueryClient();
  const { done, failed } = words[action];
  return useMutation({
    mutationFn: ({ id }: BulkRun) => callApi(`POST /api/bulk-runs/{runId}/${action}`, { params: { runId: id } }),
    onSuccess: (run) => {
      notify.success(done);
      queryClient.setQueryData(queryKeys.bulkRun(run.id), run);
    },
    onError: (error) => notify.error(errorText(error, failed)),
    // After a refusal too: it tells that the run has moved on.
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.bulkRuns }),
  });
}
