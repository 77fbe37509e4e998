import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Profile } from '#contracts/profiles.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { refreshProfiles } from './profile-queries.ts';

type DeleteProfileDialogProps = {
  profile: Profile;
  onClose: () => void;
  /** Before the profile is gone from what is shown. */
  onDeleted?: () => Promise<void>;
};

export function DeleteProfileDialog({ profile, onClose, onDeleted }: DeleteProfileDialogProps) {
  const queryClient = useQueryClient();
  const formatPhone = usePhoneFormat();
  const remove = useMutation({
    mutationFn: () => callApi('DELETE /api/profiles/{profileId}', { params: { profileId: profile.id } }),
    onSuccess: async () => {
      notify.success('Profile deleted', { durationMs: 2000 });
      await onDeleted?.();
      queryClient.removeQueries({ queryKey: queryKeys.profile(profile.id) });
      await refreshProfiles(queryClient);
    },
    onError: (error) => notify.error(errorText(error, 'Failed to delete profile')),
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${profile.name ?? formatPhone(profile.phone)}?`}
      confirmLabel="Delete"
      busyLabel="Deleting..."
      onConfirm={() => remove.mutateAsync()}
    >
      The profile leaves its segments; the messages stay in the records. This cannot be undone.
    </ConfirmDialog>
  );
}
