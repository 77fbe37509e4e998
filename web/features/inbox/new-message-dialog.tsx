import { useMutation } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { WrittenPhone } from '#contracts/phone-numbers.ts';
import { callApi } from '#web/shared/api.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { AboutNumber } from '#web/shared/number-field/about-number.tsx';
import { NumberField } from '#web/shared/number-field/number-field.tsx';

const NewMessage = z.object({ phone: WrittenPhone });

type NewMessageDialogProps = {
  projectId: number;
  /** With `+`: typed elsewhere already. */
  number?: string | undefined;
  onOpened: (conversationId: number) => void;
  onClose: () => void;
};

/** Opens the conversation with a number, whether or not it has written. */
export function NewMessageDialog({ projectId, number: given = '', onOpened, onClose }: NewMessageDialogProps) {
  const form = useZodForm(NewMessage, { phone: given });
  const number = useWatch({ control: form.control, name: 'phone' });
  const open = useMutation({
    mutationFn: ({ phone }: z.output<typeof NewMessage>) =>
      callApi('POST /api/conversations', { body: { project_id: projectId, phone } }),
    onSuccess: ({ id }) => onOpened(id),
  });
  return (
    <FormDialog
      onClose={onClose}
      title="New message"
      description="To somebody who has not written yet. Nothing is sent before you write."
      form={form}
      onSubmit={async (values) => void (await open.mutateAsync(values))}
      submitLabel="Open conversation"
      busyLabel="Opening..."
      failureText="Failed to open the conversation"
    >
      <NumberField
        people
        form={form}
        name="phone"
        label="Phone"
        hint="A number in full, with the country’s calling code, or whom you look for by name."
        placeholder="+1 415 555 0123"
      />
      <AboutNumber projectId={projectId} number={number} />
    </FormDialog>
  );
}
