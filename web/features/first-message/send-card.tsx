import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CheckCheck, Check, Clock, FlaskConical, Send } from 'lucide-react';
import { clsx } from 'clsx';
import { useState, type KeyboardEvent } from 'react';
import type { Message } from '#contracts/messages.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { Project } from '#contracts/projects.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { controlClass } from '#web/shared/form/control-class.ts';
import { Field } from '#web/shared/form/field.tsx';
import { queryKeys } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';
import { Tag } from '#web/shared/ui/tag.tsx';
import { samsNumber } from './sam.ts';

const firstText = 'Hi Sam, your order 4821 is ready to pick up. See you soon!';
const maxLength = 1000;

type SendCardProps = { project: Project; phone: PhoneNumber; messages: readonly Message[] };

/** Sends to Sam by the API that every message goes through, and shows how far the last one has come. */
export function SendCard({ project, phone, messages }: SendCardProps) {
  const [text, setText] = useState(firstText);
  const queryClient = useQueryClient();
  const send = useMutation({
    mutationFn: () =>
      callApi('POST /api/send-message', { body: { to: `+${samsNumber}`, message: text.trim() } }, { sender: project }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.allMessages }),
  });
  const last = messages.findLast(({ direction }) => direction === 'outgoing');
  const canSend = text.trim() !== '' && !send.isPending;
  function handleKeyDown({ key, ctrlKey, metaKey }: KeyboardEvent): void {
    if (key === 'Enter' && (ctrlKey || metaKey) && canSend) send.mutate();
  }
  return (
    <Card
      flush
      title="Send a message"
      className="overflow-hidden"
      actions={<Tag icon={<FlaskConical aria-hidden="true" />}>Sandbox</Tag>}
    >
      <form
        className="grid gap-5 px-4 py-5 sm:px-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (canSend) send.mutate();
        }}
      >
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-2">
          <dt className="text-muted">From</dt>
          <dd className="min-w-0 wrap-anywhere">
            {phone.name !== null && <bdi className="mr-2 font-medium">{phone.name}</bdi>}
            <PhoneText digits={phone.phone_number} />
          </dd>
          <dt className="text-muted">To</dt>
          <dd>
            <PhoneText digits={samsNumber} />
            <span className="block text-13 text-muted">Sam, the customer who lives in the sandbox</span>
          </dd>
        </dl>
        <Field
          label="Message"
          aside={<span className="text-muted tabular-nums">{Array.from(text).length} characters</span>}
          error={send.error === null ? undefined : errorText(send.error, 'Failed to send message')}
        >
          {(control) => (
            <textarea
              {...control}
              rows={3}
              dir="auto"
              maxLength={maxLength}
              value={text}
              onChange={({ target }) => setText(target.value)}
              onKeyDown={handleKeyDown}
              className={clsx(controlClass, 'min-h-26 resize-y px-3 py-2')}
            />
          )}
        </Field>
        <div className="flex items-center gap-3">
          <Button
            needs="messages:send"
            type="submit"
            variant="primary"
            disabled={text.trim() === ''}
            busy={send.isPending && 'Sending...'}
            icon={<Send aria-hidden="true" className="size-4" />}
          >
            Send
          </Button>
          <span className="text-13 text-muted max-sm:hidden">
            or <kbd className="rounded-small border px-1.5 py-0.5 text-12">Ctrl</kbd>{' '}
            <kbd className="rounded-small border px-1.5 py-0.5 text-12">↵</kbd>
          </span>
        </div>
      </form>
      {last !== undefined && <Way message={last} />}
    </Card>
  );
}

/** How far the message has come, and how long each step took. */
function Way({ message }: { message: Message }) {
  const { created_at: createdAt, sent_at: sentAt, delivered_at: deliveredAt, read_at: readAt, error } = message;
  const steps = [
    { name: 'Queued', hint: 'Checked, in line', at: createdAt, icon: Clock, ink: '' },
    { name: 'Sent', hint: 'Handed over', at: sentAt, icon: Check, ink: '' },
    { name: 'Delivered', hint: 'On the handset', at: deliveredAt, icon: CheckCheck, ink: '' },
    { name: 'Read', hint: 'Sam opened the chat', at: readAt, icon: CheckCheck, ink: 'text-chat-tick' },
  ];
  return (
    <ol aria-label="The way of the last message" className="grid gap-2.5 border-t px-4 py-4 text-13 sm:px-5">
      {steps.map(({ name, hint, at, icon: Icon, ink }) => (
        <li key={name} className={clsx('flex items-center gap-2.5', at === null && 'text-faint')}>
          <Icon aria-hidden="true" className={clsx('size-4 shrink-0', at !== null && ink)} />
          <b className="font-medium">{name}</b>
          <span className="min-w-0 flex-1 text-muted">{hint}</span>
          <span className="text-muted tabular-nums">
            {at === null ? '–' : tookText(Date.parse(at) - Date.parse(createdAt))}
          </span>
        </li>
      ))}
      {error !== null && <li className="text-red-ink">{error}</li>}
    </ol>
  );
}

/** '212 ms', '2.1 s' */
const tookText = (ms: number) => (ms < 1000 ? `${Math.max(0, ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
