import { useMutation } from '@tanstack/react-query';
import { receiveSandboxMessage } from '#contracts/messages.ts';
import { WrittenPhone } from '#contracts/phone-numbers.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { z } from 'zod';
import { callApi } from '#web/shared/api.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { TextArea } from '#web/shared/form/text-area.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { NumberField } from '#web/shared/number-field/number-field.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

const IncomingMessage = receiveSandboxMessage.body.extend({ from: WrittenPhone });

type IncomingMessageDialogProps = { phone: PhoneNumber; title: string; onClose: () => void };

/** Plays a message from outside to a sandbox phone. */
export function IncomingMessageDialog({ phone, title, onClose }: IncomingMessageDialogProps) {
  const form = useZodForm(IncomingMessage, { from: '', message: '' });
  const receive = useMutation({
    mutationFn: (body: z.output<typeof IncomingMessage>) =>
      callApi('POST /api/phone-numbers/{phoneId}/sandbox/incoming', { params: { phoneId: phone.id }, body }),
    onSuccess: () => notify.success('Incoming message received'),
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Simulate incoming message"
      description={`As if somebody had written to ${title}: it is recorded and sent to your webhook.`}
      form={form}
      onSubmit={async (values) => void (await receive.mutateAsync(values))}
      submitLabel="Receive message"
      busyLabel="Receiving..."
      failureText="Failed to receive the message"
    >
      <NumberField
        people
        form={form}
        name="from"
        label="From"
        placeholder="+1234567890"
        hint="With the country code, or whom you look for by name"
      />
      <TextArea form={form} name="message" label="Message" rows={3} />
    </FormDialog>
  );
}
