import { useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { AccountKeyScope, NewAccountKey } from '#contracts/account-keys.ts';
import type { NewAccountKeyAnswer } from '#contracts/account-keys.ts';
import { accountKeyScopes } from '#contracts/permissions.ts';
import { callApi } from '#web/shared/api.ts';
import { Checkbox } from '#web/shared/form/checkbox.tsx';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { Select } from '#web/shared/form/select.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useFieldError, useZodForm } from '#web/shared/form/use-zod-form.ts';
import { accountKeysQuery } from '#web/shared/queries.ts';
import { useCan } from '#web/shared/session.ts';

const dayMs = 86_400_000;
const lifetimes = [
  { value: '', label: 'Never' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

const Form = z.object({
  name: NewAccountKey.shape.name,
  scopes: z.array(AccountKeyScope).min(1, 'Choose at least one scope'),
  /** In how many days. */
  expires_at: z.string(),
  addresses: z.string().max(1000),
});

type NewAccountKeyDialogProps = { onClose: () => void; onMade: (made: NewAccountKeyAnswer) => void };

/** Scopes are offered as far as the role of who asks has them. */
export function NewAccountKeyDialog({ onClose, onMade }: NewAccountKeyDialogProps) {
  const can = useCan();
  const queryClient = useQueryClient();
  const form = useZodForm(Form, { name: '', scopes: [], expires_at: '', addresses: '' });
  const scopesError = useFieldError(form, 'scopes');
  return (
    <FormDialog
      onClose={onClose}
      title="New account key"
      form={form}
      onSubmit={async ({ expires_at: days, addresses, ...values }) => {
        const body = {
          ...values,
          expires_at: days === '' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString(),
          addresses: addresses.split(/[\s,]+/).filter((address) => address !== ''),
        };
        onMade(await callApi('POST /api/account/keys', { body }));
        await queryClient.invalidateQueries({ queryKey: accountKeysQuery().queryKey });
      }}
      submitLabel="Create key"
      busyLabel="Creating..."
      failureText="Failed to create key"
    >
      <TextField form={form} name="name" label="Name" required autoComplete="off" maxLength={120} />
      <fieldset className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        <legend className="mb-1.5 text-13 font-medium">Scopes</legend>
        {accountKeyScopes
          .filter((scope) => can(scope))
          .map((scope) => (
            <Checkbox key={scope} form={form} name="scopes" value={scope} label={scope} />
          ))}
        {scopesError !== undefined && <p className="text-13 text-red-ink">{scopesError}</p>}
      </fieldset>
      <Select form={form} name="expires_at" label="Expires" options={lifetimes} />
      <TextField
        form={form}
        name="addresses"
        label="Addresses"
        aside="optional"
        hint="Addresses and networks from which alone it is taken, such as 203.0.113.0/28."
        autoComplete="off"
      />
    </FormDialog>
  );
}
