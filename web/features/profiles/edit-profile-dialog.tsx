import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Profile, ProfileChange } from '#contracts/profiles.ts';
import { callApi } from '#web/shared/api.ts';
import { onlyChanged } from '#web/shared/form/only-changed.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';
import { ProfileFields } from './profile-fields.tsx';
import { formValuesOf, ProfileForm } from './profile-form.ts';
import { refreshProfiles } from '#web/shared/refresh-profiles.ts';
import { useTakenNumber } from './use-taken-number.tsx';

export function EditProfileDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const queryClient = useQueryClient();
  const form = useZodForm(ProfileForm, formValuesOf(profile));
  const { dirtyFields } = form.formState;
  const taken = useTakenNumber(form);
  const update = useMutation({
    mutationFn: (body: ProfileChange) =>
      callApi('PUT /api/profiles/{profileId}', { params: { profileId: profile.id }, body }),
    onSuccess: (updated) => {
      queryClient.setQueryData(queryKeys.profile(profile.id), updated);
      notify.success('Profile updated');
      return refreshProfiles(queryClient);
    },
  });

  /** A number is read by its country, so they go together. */
  const changeOf = (values: ProfileChange): ProfileChange =>
    onlyChanged(values, { ...(dirtyFields.country_code && { phone: true }), ...dirtyFields });

  return (
    <FormDialog
      onClose={onClose}
      title="Edit Profile"
      draft={{ kind: 'profile', key: String(profile.id) }}
      form={form}
      onSubmit={(values) => taken.save(() => update.mutateAsync(changeOf(values)))}
      submitLabel="Save Changes"
      busyLabel="Saving..."
      failureText="Failed to update profile"
    >
      {taken.notice}
      <ProfileFields form={form} />
    </FormDialog>
  );
}
