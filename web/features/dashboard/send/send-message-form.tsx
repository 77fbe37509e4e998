import { useEffect, useState } from 'react';
import { z } from 'zod';
import { maxTextLength } from '#contracts/message-content.ts';
import { MessageText } from '#contracts/new-message.ts';
import { PhoneDigits } from '#contracts/phone-numbers.ts';
import type { Project } from '#contracts/projects.ts';
import { Select } from '#web/shared/form/select.tsx';
import { reportFailure } from '#web/shared/form/submit-form.ts';
import { TextArea } from '#web/shared/form/text-area.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { useSession } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Chat, ChatBubble } from '#web/shared/ui/chat-bubble.tsx';
import { useSendMessage } from './use-send-message.ts';

const Form = z.object({
  project_id: z.int('Please select a project'),
  to: z.string().trim().min(1, 'Enter a recipient number').pipe(PhoneDigits),
  message: MessageText,
});

const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** `projects` are those that can send now. */
export function SendMessageForm({ projects }: { projects: readonly Project[] }) {
  const current = useSendingProject(projects);
  const form = useZodForm(Form, { ...(current !== undefined && { project_id: current }), to: '', message: '' });
  const send = useSendMessage();
  const message = form.watch('message');

  useEffect(() => {
    if (current !== undefined) form.resetField('project_id', { defaultValue: current });
  }, [form, current]);

  const submit = form.handleSubmit(async ({ project_id, to, message: text }) => {
    const project = projects.find(({ id }) => id === project_id);
    if (project === undefined) return form.setError('project_id', { message: 'Please select a project' });
    try {
      await send.mutateAsync({ authKey: project.auth_key, body: { to, message: text } });
      form.reset({ project_id, to: '', message: '' });
    } catch (error) {
      reportFailure(form, error, 'Failed to send message');
    }
  });

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] md:grid-cols-[minmax(0,1fr)_minmax(0,18rem)]">
      <form noValidate onSubmit={(event) => void submit(event)} className="grid content-start gap-5 px-4 py-5 sm:px-5">
        <Select
          form={form}
          name="project_id"
          label="Project"
          numeric
          required
          placeholder="Select a project"
          options={projects.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
        <TextField
          form={form}
          name="to"
          label="Recipient number"
          hint="Include the country code, without + or spaces."
          type="tel"
          inputMode="tel"
          autoComplete="off"
          required
          placeholder="14155550132"
        />
        <TextArea
          form={form}
          name="message"
          label="Message"
          aside={
            <span className="text-muted tabular-nums">
              {message.length.toLocaleString('en')} / {maxTextLength.toLocaleString('en')}
            </span>
          }
          required
        />
        <div>
          <Button type="submit" variant="primary" busy={send.isPending && 'Sending...'}>
            Send message
          </Button>
        </div>
      </form>
      <Preview message={message} />
    </div>
  );
}

/** The current project where it can send, else the first that can. */
function useSendingProject(projects: readonly Project[]): number | undefined {
  const { currentProjectId } = useSession();
  return (projects.find(({ id }) => id === currentProjectId) ?? projects[0])?.id;
}

function Preview({ message }: { message: string }) {
  const [openedAt] = useState(() => time.format(new Date()));
  return (
    <section aria-label="Preview" className="flex min-h-48 max-md:border-t md:border-l">
      <Chat className="max-h-110 flex-1 justify-end overflow-y-auto">
        {message.trim() === '' ? (
          <p className="m-auto text-13 text-chat-meta">Your message as it arrives</p>
        ) : (
          <ChatBubble text={message} time={openedAt} status="delivered" />
        )}
      </Chat>
    </section>
  );
}
