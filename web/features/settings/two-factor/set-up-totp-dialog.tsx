import { TotpConfirmation } from '#contracts/two-factor.ts';
import type { NewTotp } from '#contracts/two-factor.ts';
import { callApi } from '#web/shared/api.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { CopyField } from '#web/shared/ui/copy-field.tsx';

const copyTexts = { copied: 'Key copied to clipboard', failed: 'Failed to copy the key' };

type SetUpTotpDialogProps = {
  totp: NewTotp;
  onClose: () => void;
  onConfirmed: (recoveryCodes: readonly string[]) => Promise<void>;
};

export function SetUpTotpDialog({ totp, onClose, onConfirmed }: SetUpTotpDialogProps) {
  const form = useZodForm(TotpConfirmation.pick({ code: true }), { code: '' });
  const { replacement } = totp;
  return (
    <FormDialog
      onClose={onClose}
      title={replacement === undefined ? 'Set up an authenticator app' : 'Replace the authenticator app'}
      description={`Scan the code with an app such as Aegis, Google Authenticator or 1Password, then type what it shows.${replacement === undefined ? '' : ' The app of now counts until then; every other browser is signed out with it.'}`}
      form={form}
      onSubmit={async (body) => {
        const { recovery_codes: codes } = await callApi('POST /api/user/two-factor/totp/confirm', {
          body: { ...body, replacement },
        });
        await onConfirmed(codes);
      }}
      submitLabel={replacement === undefined ? 'Turn on' : 'Replace'}
      busyLabel="Checking..."
      failureText="Failed to set up the authenticator app"
    >
      <img
        src={totp.qr_code}
        alt="QR code for the authenticator app"
        width={200}
        height={200}
        className="mx-auto size-50 max-w-full rounded-large border bg-white p-2 [image-rendering:pixelated]"
      />
      <CopyField label="Or type this key" value={totp.secret} copyLabel="Copy key" texts={copyTexts} />
      <TextField form={form} name="code" label="Code" inputMode="numeric" autoComplete="one-time-code" maxLength={7} />
    </FormDialog>
  );
}
