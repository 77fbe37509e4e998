import { useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import type { Profile } from '#contracts/profiles.ts';
import { OptInReason } from '#contracts/suppressions.ts';
import { callApi } from '#web/shared/api.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';
import { refreshProfiles } from '#web/shared/refresh-profiles.ts';

const Form = z.object({ opt_in_reason: OptInReason });

export function OptInDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const queryClient = useQueryClient();
  const formatPhone = usePhoneFormat();
  const form = useZodForm(Form, { opt_in_reason: '' });
  const optIn = useMutation({
    mutationFn: (body: z.output<typeof Form>) =>
      callApi('PUT /api/profiles/{profileId}', {
        params: { profileId: profile.id },
        body: { ...body, opted_out: false },
      }),
    onSuccess: (updated) => {
      queryClient.setQueryData(queryKeys.profile(profile.id), updated);
      notify.success('Opted in again');
      return refreshProfiles(queryClient);
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={`Write to ${profile.name ?? formatPhone(profile.phone)} again?`}
      description="They asked for no more messages. Do this only if they have asked for them since; the log keeps your reason."
      form={form}
      onSubmit={async (values) => void (await optIn.mutateAsync(values))}
      submitLabel="Opt in again"
      busyLabel="Saving..."
      failureText="Failed to update profile"
    >
      <TextField
        form={form}
        name="opt_in_reason"
        label="Reason"
        placeholder="Asked for it at the counter on Monday"
        autoComplete="off"
        maxLength={500}
        required
      />
    </FormDialog>
  );
}
