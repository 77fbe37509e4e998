import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Flow } from '#contracts/flows.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';
import { runText } from './run-text.ts';

/** Runs a flow, says what it came to, and reloads the list. */
export function useRunFlow() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (flow: Flow) => callApi('POST /api/flows/{flowId}/run', { params: { flowId: flow.id } }),
    onSuccess: (run) => {
      notify.success(runText(run));
      return queryClient.invalidateQueries({ queryKey: queryKeys.flows });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to run flow')),
  });
}
