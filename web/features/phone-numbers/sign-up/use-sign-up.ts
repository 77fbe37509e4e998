import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { NewOfficialSignUp } from '#contracts/official-sign-up.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';

/** Hands Meta's answer to the server, which takes the number from there. */
export function useSignUp(projectId: number, onSignedUp: (phone: PhoneNumber) => Promise<void> | void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NewOfficialSignUp) =>
      callApi('POST /api/projects/{projectId}/official-sign-ups', { params: { projectId }, body }),
    onSuccess: async (phone) => {
      await Promise.all(
        [queryKeys.projects, queryKeys.phone(phone.id), queryKeys.phoneNumbers(projectId)].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      );
      await onSignedUp(phone);
    },
  });
}
