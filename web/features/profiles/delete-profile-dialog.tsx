import { useQueryClient } from '@tanstack/react-query';
import type { Profile } from '#contracts/profiles.ts';
import { callApi } from '#web/shared/api.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { DeletionDialog } from '#web/shared/ui/deletion-dialog.tsx';
import { refreshProfiles } from '#web/shared/refresh-profiles.ts';

type DeleteProfileDialogProps = {
  profile: Profile;
  onClose: () => void;
  /** Before the profile is gone from what is shown. */
  onDeleted?: () => Promise<void>;
};

export function DeleteProfileDialog({ profile, onClose, onDeleted }: DeleteProfileDialogProps) {
  const queryClient = useQueryClient();
  const formatPhone = usePhoneFormat();
  return (
    <DeletionDialog
      onClose={onClose}
      title={`Delete ${profile.name ?? formatPhone(profile.phone)}?`}
      done="Profile deleted"
      failed="Failed to delete profile"
      remove={() => callApi('DELETE /api/profiles/{profileId}', { params: { profileId: profile.id } })}
      undo={{ resource: 'profiles', id: profile.id }}
      onUndone={() => refreshProfiles(queryClient)}
      onDeleted={async () => {
        await onDeleted?.();
        queryClient.removeQueries({ queryKey: queryKeys.profile(profile.id) });
        await refreshProfiles(queryClient);
      }}
    >
      The profile leaves its segments; the messages stay in the records.
    </DeletionDialog>
  );
}
