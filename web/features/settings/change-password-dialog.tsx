import { useMutation } from '@tanstack/react-query';
import { PasswordChange } from '#contracts/accounts.ts';
import { callApi } from '#web/shared/api.ts';
import { Checkbox } from '#web/shared/form/checkbox.tsx';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { PasswordField } from '#web/shared/form/password-field.tsx';
import { PasswordRules } from '#web/shared/form/password-rules.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { setUser, useCan, useIsNarrowed, useSession } from '#web/shared/session.ts';
import { notify } from '#web/shared/ui/toast-store.ts';

export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const { user } = useSession();
  const isNarrowed = useIsNarrowed();
  const mayReplaceKey = useCan()('keys:write') && !isNarrowed;
  const form = useZodForm(PasswordChange, { currentPassword: '', newPassword: '', rotateApiKey: false });
  const change = useMutation({
    mutationFn: (body: PasswordChange) => callApi('POST /api/auth/update-password', { body }),
    onSuccess: (changed) => {
      setUser(changed);
      notify.success('Password updated successfully');
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Change Password"
      form={form}
      onSubmit={async (values) => void (await change.mutateAsync(values))}
      submitLabel="Change Password"
      busyLabel="Saving..."
      failureText="Failed to update password"
    >
      {/* Tells a password manager whose password this is. */}
      <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
      <PasswordField form={form} name="currentPassword" label="Current Password" autoComplete="current-password" />
      <PasswordField
        form={form}
        name="newPassword"
        label="New Password"
        autoComplete="new-password"
        hint={<PasswordRules password={form.watch('newPassword')} />}
      />
      {mayReplaceKey && (
        <Checkbox
          form={form}
          name="rotateApiKey"
          label="Replace the API key too"
          hint="If somebody may have seen it. Programs that use it need the new one."
        />
      )}
    </FormDialog>
  );
}
