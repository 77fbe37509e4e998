import { useMutation } from '@tanstack/react-query';
import { EmailChange } from '#contracts/accounts.ts';
import { callApi } from '#web/shared/api.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { setUser } from '#web/shared/session.ts';
import { notify } from '#web/shared/ui/toast-store.ts';

export function ChangeEmailDialog({ onClose }: { onClose: () => void }) {
  const form = useZodForm(EmailChange, { email: '' });
  const change = useMutation({
    mutationFn: (body: EmailChange) => callApi('POST /api/auth/update-email', { body }),
    onSuccess: (user) => {
      setUser(user);
      notify.success('Email updated successfully');
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Change Email"
      description="You sign in with the new address from now on."
      form={form}
      onSubmit={async (values) => void (await change.mutateAsync(values))}
      submitLabel="Change Email"
      busyLabel="Saving..."
      failureText="Failed to update email"
    >
      <TextField form={form} name="email" label="Email" type="email" autoComplete="email" autoCapitalize="none" />
    </FormDialog>
  );
}
