import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Review } from '#contracts/reviews.ts';
import { callApi } from '../api.ts';
import { errorText } from '../api-error.ts';
import { carriedMessage } from '../attach/carried-file.ts';
import { Field } from '../form/field.tsx';
import { NumberInput } from '../number-field/number-input.tsx';
import { Button } from '../ui/button.tsx';

type SendTestProps = { authKey: string; message: string; media: Review['media'] };

const ownNumberKey = 'dovepost-test-number';

const ownNumber = () => localStorage.getItem(ownNumberKey) ?? '';

/** Sends the first sample to a number of one's own, which this browser remembers. */
export function SendTest({ authKey, message, media }: SendTestProps) {
  const [to, setTo] = useState(ownNumber);
  const send = useMutation({
    mutationFn: async () => {
      const sent = await callApi(
        'POST /api/send-message',
        { body: { to, ...carriedMessage(media, message) } },
        { authKey },
      );
      localStorage.setItem(ownNumberKey, to);
      if (sent.status === 'failed') throw new Error(sent.error ?? 'Failed to send message');
    },
  });
  const failure = send.error === null ? undefined : failureText(send.error);
  return (
    <div className="grid gap-1.5 sm:max-w-100">
      <Field label="Send me a test" error={failure} hint="The first message below, to your own number.">
        {(control) => (
          <span className="flex items-start gap-2">
            <span className="min-w-0 flex-1">
              <NumberInput people {...control} placeholder="+1 415 555 0132" value={to} onChange={setTo} />
            </span>
            <Button disabled={to.trim() === ''} busy={send.isPending && 'Sending...'} onClick={() => send.mutate()}>
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
