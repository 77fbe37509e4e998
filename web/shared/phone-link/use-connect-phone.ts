import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';

/** Connects a phone that needs no code: a sandbox, or a number of the official API. */
export function useConnectPhone(phone: PhoneNumber) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => callApi('GET /api/phone-numbers/{phoneId}/connect', { params: { phoneId: phone.id } }),
    onSuccess: (link) => {
      const isConnected = 'status' in link && link.status === 'connected';
      if (isConnected) notify.success('Phone connected successfully!');
    },
    onError: (error) => notify.error(errorText(error, 'Failed to connect phone')),
    // A refusal is written on the phone as well.
    onSettled: () =>
      Promise.all(
        [queryKeys.projects, queryKeys.phone(phone.id), queryKeys.phoneNumbers(phone.project_id)].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
