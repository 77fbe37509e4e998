import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { isSimulated, type ConnectorName } from '#contracts/connectors.ts';
import { newPhoneFields, WrittenPhone } from '#contracts/phone-numbers.ts';
import { callApi } from '#web/shared/api.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { NumberField } from '#web/shared/number-field/number-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { useCan } from '#web/shared/session.ts';
import { notify } from '#web/shared/ui/toast-store.ts';
import { ConnectorChoice } from './connector-choice.tsx';
import { PhoneFields } from './phone-fields.tsx';

const Form = newPhoneFields.extend({ phone_number: WrittenPhone });

type AddPhoneDialogProps = { projectId: number; connector?: ConnectorName; onClose: () => void };

export function AddPhoneDialog({ projectId, connector: given, onClose }: AddPhoneDialogProps) {
  const queryClient = useQueryClient();
  const mayAddAll = useCan()('phones:write');
  const connector = given ?? (mayAddAll ? 'whatsapp' : 'sandbox');
  const form = useZodForm(Form, {
    phone_number: '',
    name: '',
    connector,
    priority: 0,
    max_daily_messages: 1000,
    is_active: true,
  });
  const chosen = useWatch({ control: form.control, name: 'connector' }) ?? connector;
  const { max_daily_messages: isMaximumTyped } = form.formState.dirtyFields;
  // A sandbox has no maximum unless somebody types one.
  const maximumOf = ({ max_daily_messages: most }: z.output<typeof Form>) =>
    isSimulated(chosen) && !isMaximumTyped ? null : most;
  const add = useMutation({
    mutationFn: (body: z.output<typeof Form>) =>
      callApi('POST /api/projects/{projectId}/phone-numbers', {
        params: { projectId },
        body: { ...body, name: body.name || null, max_daily_messages: maximumOf(body) },
      }),
    onSuccess: () => {
      notify.success('Phone number added successfully');
      return queryClient.invalidateQueries({ queryKey: queryKeys.phoneNumbers(projectId) });
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Add Phone Number"
      form={form}
      onSubmit={async (values) => void (await add.mutateAsync(values))}
      submitLabel="Add Phone Number"
      busyLabel="Adding..."
      failureText="Failed to add phone number"
    >
      <NumberField form={form} name="phone_number" label="Phone Number" required placeholder="+1234567890" />
      <ConnectorChoice form={form} projectId={projectId} />
      <PhoneFields form={form} connector={chosen} />
    </FormDialog>
  );
}
