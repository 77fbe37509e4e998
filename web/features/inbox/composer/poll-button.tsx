import { useMutation } from '@tanstack/react-query';
import { ListChecks } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';
import type { Message } from '#contracts/messages.ts';
import { callApi } from '#web/shared/api.ts';
import { Checkbox } from '#web/shared/form/checkbox.tsx';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { TextArea } from '#web/shared/form/text-area.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { useTryKey } from '#web/shared/use-try-key.ts';

type PollButtonProps = { conversationId: number; disabled: boolean; onSent: (message: Message) => void };

/** Asks the person of a conversation to choose. */
export function PollButton({ disabled, ...dialog }: PollButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton
        label="Send a poll"
        size="small"
        icon={<ListChecks className="size-4" />}
        disabled={disabled}
        onClick={() => setOpen(true)}
      />
      {isOpen && <PollDialog {...dialog} onClose={() => setOpen(false)} />}
    </>
  );
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const Poll = z.object({
  question: z.string().trim().min(1, 'Enter a question').max(255, 'Use at most 255 characters'),
  options: z
    .string()
    .refine((text) => linesOf(text).length >= 2, 'Add at least 2 options')
    .refine((text) => linesOf(text).length <= 12, 'Use at most 12 options')
    .refine((text) => linesOf(text).every((line) => line.length <= 100), 'Use at most 100 characters a line')
    .refine((text) => new Set(linesOf(text)).size === linesOf(text).length, 'Use each option once'),
  multiple: z.boolean(),
});

function PollDialog({ conversationId, onSent, onClose }: Omit<PollButtonProps, 'disabled'> & { onClose: () => void }) {
  const form = useZodForm(Poll, { question: '', options: '', multiple: false });
  const { keyOf } = useTryKey();
  const send = useMutation({
    mutationFn: ({ options, ...poll }: z.output<typeof Poll>) => {
      const body = { type: 'poll' as const, poll: { ...poll, options: linesOf(options) } };
      const call = { params: { conversationId }, body };
      return callApi('POST /api/conversations/{conversationId}/messages', call, { idempotencyKey: keyOf(body) });
    },
    onSuccess: onSent,
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Send a poll"
      form={form}
      onSubmit={async (values) => void (await send.mutateAsync(values))}
      submitLabel="Send"
      busyLabel="Sending..."
      failureText="The poll was not sent"
    >
      <TextField form={form} name="question" label="Question" />
      <TextArea form={form} name="options" label="Options" hint="One a line, 2 to 12." rows={4} />
      <Checkbox label="Several answers may be chosen" form={form} name="multiple" />
    </FormDialog>
  );
}
