import { useMutation, useQuery } from '@tanstack/react-query';
import type { Message } from '#contracts/messages.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';

/** A number that no network gives out, and no special recipient of the sandbox. */
export const samsNumber = '14155550199';

const shownAtMost = 20;

/** The messages between the project and Sam, the oldest first. */
export function useChat(projectId: number): { messages: readonly Message[]; isLoading: boolean } {
  const { data, isLoading } = useQuery({
    queryKey: [...queryKeys.allMessages, 'first', projectId],
    queryFn: ({ signal }) =>
      callApi(
        'GET /api/messages',
        { query: { project_id: projectId, number: samsNumber, limit: shownAtMost } },
        { signal },
      ),
  });
  return { messages: data?.data.toReversed() ?? [], isLoading };
}

/** Writes as Sam to the sandbox. */
export function useAnswerAsSam(phoneId: number) {
  return useMutation({
    mutationFn: (message: string) =>
      callApi('POST /api/phone-numbers/{phoneId}/sandbox/incoming', {
        params: { phoneId },
        body: { from: `+${samsNumber}`, message },
      }),
    onError: (error) => notify.error(errorText(error, 'Failed to receive the message')),
  });
}
