import { useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { keyScopes, type KeyScope as Scope } from '#contracts/permissions.ts';
import { KeyScope, NewProjectKey } from '#contracts/project-keys.ts';
import { callApi, type ApiCall } from '#web/shared/api.ts';
import { Checkbox } from '#web/shared/form/checkbox.tsx';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { Select } from '#web/shared/form/select.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useFieldError, useZodForm } from '#web/shared/form/use-zod-form.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { useMayGrant } from './may-grant.ts';
import type { ShownKey } from './shown-key-dialog.tsx';

const hints: Readonly<Record<Scope, string>> = {
  'messages:send': 'Send messages and batches, cancel them',
  'messages:read': 'Read messages',
  'media:read': 'Download files of messages',
  'media:write': 'Upload files',
  'contacts:read': 'Read profiles, segments, imports and opt-outs',
  'contacts:write': 'Change profiles, segments, imports and opt-outs',
  'events:write': 'Say who people are: identify',
  'campaigns:read': 'Read campaigns, flows and bulk runs',
  'campaigns:write': 'Launch and change campaigns, flows and bulk runs',
  'templates:read': 'Read templates',
  'templates:write': 'Change templates',
  'webhooks:read': 'Read endpoints and events; what these hold needs messages:read',
  'webhooks:write': 'Change endpoints, replay events',
};

const dayMs = 24 * 60 * 60_000;
const lifetimes = [
  { value: '', label: 'Never' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

const Form = z.object({
  name: NewProjectKey.shape.name,
  scopes: z.array(KeyScope).min(1, 'Choose at least one scope'),
  /** In how many days. */
  expires_at: z.string(),
  addresses: z.string().max(1000),
});

type Values = z.output<typeof Form>;

function toBody({
  expires_at: days,
  addresses,
  ...values
}: Values): ApiCall<'POST /api/projects/{projectId}/keys'>['body'] {
  return {
    ...values,
    expires_at: days === '' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString(),
    addresses: addresses.split(/[\s,]+/).filter((address) => address !== ''),
  };
}

type NewKeyDialogProps = { projectId: number; onClose: () => void; onMade: (shown: ShownKey) => void };

export function NewKeyDialog({ projectId, onClose, onMade }: NewKeyDialogProps) {
  const queryClient = useQueryClient();
  const mayGrant = useMayGrant();
  const form = useZodForm(Form, { name: '', scopes: ['messages:send'], expires_at: '', addresses: '' });
  const scopesError = useFieldError(form, 'scopes');
  const create = useMutation({
    mutationFn: (values: Values) =>
      callApi('POST /api/projects/{projectId}/keys', { params: { projectId }, body: toBody(values) }),
    onSuccess: (made) => {
      onMade(made);
      return queryClient.invalidateQueries({ queryKey: queryKeys.projectKeys(projectId) });
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="New key"
      form={form}
      onSubmit={async (values) => void (await create.mutateAsync(values))}
      submitLabel="Create key"
      busyLabel="Creating..."
      failureText="Failed to create key"
    >
      <TextField form={form} name="name" label="Name" required autoComplete="off" maxLength={120} />
      <fieldset className="grid gap-2.5">
        <legend className="mb-1.5 text-13 font-medium">Scopes</legend>
        {keyScopes.filter(mayGrant).map((scope) => (
          <Checkbox key={scope} form={form} name="scopes" value={scope} label={scope} hint={hints[scope]} />
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
