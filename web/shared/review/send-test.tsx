import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SentTemplate } from '#contracts/new-message.ts';
import type { Review } from '#contracts/reviews.ts';
import { callApi, type Sender } from '../api.ts';
import { errorText } from '../api-error.ts';
import { carriedMessage } from '../attach/carried-file.ts';
import { Field } from '../form/field.tsx';
import { logFailure } from '../log-failure.ts';
import { NumberInput } from '../number-field/number-input.tsx';
import { noPlaceholder } from '../queries.ts';
import { Button } from '../ui/button.tsx';

type SendTestProps = {
  /** The project that sends; undefined while none is chosen. */
  sender: Sender | undefined;
  /** As somebody will read it. */
  message: string;
  media: Review['media'];
  /** In their place, filled for somebody. */
  template?: SentTemplate | undefined;
  hint?: string;
};

const testNumberQuery = {
  queryKey: ['test-number'],
  queryFn: ({ signal }: { signal: AbortSignal }) => callApi('GET /api/user/test-number', {}, { signal }),
  placeholderData: noPlaceholder,
  staleTime: Infinity,
  retry: false,
};

/** Sends the message to a number of one's own, which is remembered for the person. */
export function SendTest({ sender, message, media, template, hint }: SendTestProps) {
  const queryClient = useQueryClient();
  const { data: own } = useQuery(testNumberQuery);
  const [typed, setTyped] = useState<string>();
  const to = typed ?? own?.phone ?? '';
  const send = useMutation({
    mutationFn: async () => {
      const sent = await callApi(
        'POST /api/send-message',
        { body: { to, ...(template ? { type: 'template', template } : carriedMessage(media, message)) } },
        { sender },
      );
      await remember();
      if (sent.status === 'failed') throw new Error(sent.error ?? 'Failed to send message');
    },
  });

  async function remember(): Promise<void> {
    if (to === own?.phone) return;
    try {
      queryClient.setQueryData(
        testNumberQuery.queryKey,
        await callApi('PUT /api/user/test-number', { body: { phone: to } }),
      );
    } catch (error) {
      logFailure('The number for tests could not be remembered.', error);
    }
  }

  const failure = send.error === null ? undefined : failureText(send.error);
  const isEmpty = message.trim() === '' && media === null && template === undefined;
  return (
    <div className="grid gap-1.5">
      <Field label="Send me a test" error={failure} hint={hint ?? 'As the first person reads it, to your own number.'}>
        {(control) => (
          <span className="flex flex-wrap items-start gap-2">
            <span className="min-w-0 flex-1 basis-44">
              <NumberInput people {...control} placeholder="+1 415 555 0132" value={to} onChange={setTyped} />
            </span>
            <Button
              disabled={to.trim() === '' || sender === undefined || isEmpty}
              busy={send.isPending && 'Sending...'}
              onClick={() => send.mutate()}
            >
              Send test
            </Button>
          </span>
        )}
      </Field>
      <p role="status" className="text-13 text-muted">
        {send.isSuccess && 'Test message sent successfully'}
      </p>
    </div>
  );
}

function failureText(error: Error): string {
  const words = errorText(error, error.message || 'Failed to send message');
  return `Test failed: ${words}`;
}
