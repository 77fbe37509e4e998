import { useMutation } from '@tanstack/react-query';
import { z } from 'zod';
import { openConversation } from '#contracts/conversations.ts';
import { callApi } from '#web/shared/api.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';

const NewMessage = z.object({ phone: openConversation.body.shape.phone });

type NewMessageDialogProps = { projectId: number; onOpened: (conversationId: number) => void; onClose: () => void };

/** Opens the conversation with a number, whether or not it has written. */
export function NewMessageDialog({ projectId, onOpened, onClose }: NewMessageDialogProps) {
  const form = useZodForm(NewMessage, { phone: '' });
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
      <TextField
        form={form}
        name="phone"
        label="Phone"
        hint="In full, with the country’s calling code."
        type="tel"
        inputMode="tel"
        autoComplete="off"
        required
        maxLength={40}
        placeholder="+1 415 555 0123"
      />
    </FormDialog>
  );
}
