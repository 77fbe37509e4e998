import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Profile } from '#contracts/profiles.ts';
import { callApi } from './api.ts';
import { errorText } from './api-error.ts';
import { usePhoneFormat } from './phone-format.ts';
import { queryKeys } from './queries.ts';
import { ConfirmDialog } from './ui/confirm-dialog.tsx';
import { notify } from './ui/toast-store.ts';
import { refreshProfiles } from './refresh-profiles.ts';

type EraseProfileDialogProps = { profile: Profile; onClose: () => void; onErased: () => Promise<void> | void };

/** For somebody who asks to be forgotten. */
export function EraseProfileDialog({ profile, onClose, onErased }: EraseProfileDialogProps) {
  const queryClient = useQueryClient();
  const formatPhone = usePhoneFormat();
  const erase = useMutation({
    mutationFn: () => callApi('POST /api/profiles/{profileId}/erase', { params: { profileId: profile.id } }),
    onSuccess: async () => {
      notify.success('Contact erased');
      await onErased();
      queryClient.removeQueries({ queryKey: queryKeys.profile(profile.id) });
      await refreshProfiles(queryClient);
    },
    onError: (error) => notify.error(errorText(error, 'Failed to erase the contact')),
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Erase ${profile.name ?? formatPhone(profile.phone)}?`}
      confirmLabel="Erase"
      busyLabel="Erasing..."
      onConfirm={() => erase.mutateAsync()}
    >
      The contact, all messages with them, their files and the records of them go for good. Reports keep their counts
      without the person. The number stays opted out as a fingerprint that cannot be read. This cannot be undone.
    </ConfirmDialog>
  );
}
