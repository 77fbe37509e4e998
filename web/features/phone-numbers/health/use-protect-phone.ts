import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PhoneProtection } from '#contracts/phone-health.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';

/** Switches a part of a phone's protection, and shows it at once. */
export function useProtectPhone({ id: phoneId, project_id: projectId }: PhoneNumber) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (protection: PhoneProtection) =>
      callApi('PUT /api/phone-numbers/{phoneId}', { params: { phoneId }, body: { protection } }),
    onSuccess: (phone) => {
      queryClient.setQueryData(queryKeys.phone(phoneId), phone);
      void queryClient.invalidateQueries({ queryKey: queryKeys.phone(phoneId) });
      return queryClient.invalidateQueries({ queryKey: queryKeys.phoneNumbers(projectId) });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to change the protection')),
  });
}
