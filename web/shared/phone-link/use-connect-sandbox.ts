import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';

/** A sandbox phone needs no code: its first answer says that it is connected. */
export function useConnectSandbox(phone: PhoneNumber) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => callApi('GET /api/phone-numbers/{phoneId}/connect', { params: { phoneId: phone.id } }),
    onSuccess: () => {
      notify.success('Sandbox connected');
      void queryClient.invalidateQueries({ queryKey: queryKeys.projects });
      return queryClient.invalidateQueries({ queryKey: queryKeys.phoneNumbers(phone.project_id) });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to connect phone')),
  });
}
