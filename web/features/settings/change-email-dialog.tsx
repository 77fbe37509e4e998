import { useMutation } from '@tanstack/react-query';
import { AddressChange } from '#contracts/accounts.ts';
import { callApi } from '#web/shared/api.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { PasswordField } from '#web/shared/form/password-field.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { setUser } from '#web/shared/session.ts';
import { notify } from '#web/shared/ui/toast-store.ts';

const WithPassword = AddressChange.required({ currentPassword: true });
const WithoutPassword = AddressChange.pick({ email: true });

type ChangeEmailDialogProps = { hasPassword: boolean; onClose: () => void };

export function ChangeEmailDialog({ hasPassword, onClose }: ChangeEmailDialogProps) {
  const form = useZodForm<typeof WithPassword | typeof WithoutPassword>(hasPassword ? WithPassword : WithoutPassword, {
    email: '',
    currentPassword: '',
  });
  const change = useMutation({
    mutationFn: (body: AddressChange) => callApi('POST /api/auth/update-email', { body }),
    onSuccess: (user, { email }) => {
      setUser(user);
      if (user.email === email) notify.success('Email updated successfully');
      else notify.info(`Follow the link in the mail to ${email}. Until then you sign in with ${user.email}.`);
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Change Email"
      description="You sign in with the new address once it is confirmed."
      form={form}
      onSubmit={async (values) => void (await change.mutateAsync(values))}
      submitLabel="Change Email"
      busyLabel="Saving..."
      failureText="Failed to update email"
    >
      <TextField form={form} name="email" label="Email" type="email" autoComplete="email" autoCapitalize="none" />
      {hasPassword && (
        <PasswordField form={form} name="currentPassword" label="Current Password" autoComplete="current-password" />
      )}
    </FormDialog>
  );
}
