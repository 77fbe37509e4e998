import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Flow } from '#contracts/flows.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';

type SetActive = Pick<Flow, 'id' | 'active'> & {
  /** Profiles that match when it is switched on get nothing. */
  isCurrentSkipped?: boolean;
};

/** Lets a flow run by itself, or stops that. */
export function useSetActive() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, active, isCurrentSkipped = false }: SetActive) =>
      callApi('PUT /api/flows/{flowId}', {
        params: { flowId: id },
        body: { active, ...(isCurrentSkipped && { skip_current: true }) },
      }),
    onSuccess: ({ active }) => {
      notify.success(active ? 'Flow activated' : 'Flow deactivated');
      return queryClient.invalidateQueries({ queryKey: queryKeys.flows });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to save flow')),
  });
}
