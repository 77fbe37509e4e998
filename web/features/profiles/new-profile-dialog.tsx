import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { NewProfile } from '#contracts/profiles.ts';
import { callApi } from '#web/shared/api.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { notify } from '#web/shared/ui/toast-store.ts';
import { ProfileFields } from './profile-fields.tsx';
import { emptyFormValues, ProfileForm } from './profile-form.ts';
import { refreshProfiles } from '#web/shared/refresh-profiles.ts';
import { useTakenNumber } from './use-taken-number.tsx';

export function NewProfileDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const form = useZodForm(ProfileForm, emptyFormValues);
  const taken = useTakenNumber(form);
  const create = useMutation({
    mutationFn: (body: NewProfile) => callApi('POST /api/profiles', { body }),
    onSuccess: () => {
      notify.success('Profile created');
      return refreshProfiles(queryClient);
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="New Profile"
      draft={{ kind: 'profile', key: 'new' }}
      form={form}
      onSubmit={(values) => taken.save(() => create.mutateAsync(values))}
      submitLabel="Create Profile"
      busyLabel="Creating..."
      failureText="Failed to create profile"
    >
      {taken.notice}
      <ProfileFields form={form} />
    </FormDialog>
  );
}
