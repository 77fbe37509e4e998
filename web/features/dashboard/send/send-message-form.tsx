import { useEffect, useState } from 'react';
import { z } from 'zod';
import { maxCaptionLength, maxTextLength } from '#contracts/message-content.ts';
import { MessageText } from '#contracts/new-message.ts';
import { WrittenPhone } from '#contracts/phone-numbers.ts';
import type { Project } from '#contracts/projects.ts';
import { hasCode } from '#web/shared/api-error.ts';
import { AttachButton } from '#web/shared/attach/attach-button.tsx';
import { AttachedPreview } from '#web/shared/attach/attached-preview.tsx';
import { AttachmentCard } from '#web/shared/attach/attachment-card.tsx';
import type { Attachment } from '#web/shared/attach/attachments.ts';
import { DropHint } from '#web/shared/attach/drop-hint.tsx';
import { mediaFields } from '#web/shared/attach/sent-media.ts';
import { useAttach } from '#web/shared/attach/use-attach.ts';
import { FormFailure } from '#web/shared/form/form-failure.tsx';
import { Select } from '#web/shared/form/select.tsx';
import { reportFailure } from '#web/shared/form/submit-form.ts';
import { TextArea } from '#web/shared/form/text-area.tsx';
import { AboutNumber } from '#web/shared/number-field/about-number.tsx';
import { NumberField } from '#web/shared/number-field/number-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { projectHint } from '#web/shared/project-choice.ts';
import { useSession } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Chat, ChatBubble } from '#web/shared/ui/chat-bubble.tsx';
import { keepMessage, readMessage } from './kept-message.ts';
import { SendTemplateForm } from './send-template-form.tsx';
import { useSendMessage } from './use-send-message.ts';

const Form = z.object({
  project_id: z.int('Please select a project'),
  to: z.string().trim().min(1, 'Enter a recipient number').pipe(WrittenPhone),
  message: MessageText,
});

/** A file needs no caption. */
const WithFile = Form.extend({
  message: z.string().max(maxCaptionLength, `Use at most ${maxCaptionLength} characters`),
});

const place = 'dashboard';

const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** `projects` are those that can send now. */
export function SendMessageForm({ projects }: { projects: readonly Project[] }) {
  const current = useSendingProject(projects);
  const attach = useAttach({ place, onAttached: () => form.setFocus('message') });
  const { attachment } = attach;
  const userId = useSession().user?.id ?? 0;
  const form = useZodForm(attachment === undefined ? Form : WithFile, {
    ...(current !== undefined && { project_id: current }),
    ...readMessage(userId),
  });
  const send = useSendMessage();
  /** The person whose 24 hours are over: only a template reaches them. */
  const [shut, setShut] = useState<{ project: Project; to: string }>();
  const message = form.watch('message');
  const maxLength = attachment === undefined ? maxTextLength : maxCaptionLength;

  useEffect(() => {
    if (current !== undefined) form.resetField('project_id', { defaultValue: current });
  }, [form, current]);

  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values: { to, message: text } }) => keepMessage(userId, { to, message: text }),
      }),
    [form, userId],
  );

  const submit = form.handleSubmit(async ({ project_id, to, message: text }) => {
    const project = projects.find(({ id }) => id === project_id);
    if (project === undefined) return form.setError('project_id', { message: 'Please select a project' });
    if (attachment !== undefined && attachment.state !== 'ready') {
      return form.setError('message', { message: notReady[attachment.state] });
    }
    try {
      const content = attachment === undefined ? { message: text } : mediaFields(attachment, text);
      await send.mutateAsync({ sender: project, body: { to, ...content } });
      attach.remove();
      form.reset({ project_id, to: '', message: '' });
    } catch (error) {
      if (hasCode(error, 'window_closed')) setShut({ project, to });
      else reportFailure(form, error, 'Failed to send message');
    }
  });

  if (shut !== undefined) {
    return (
      <SendTemplateForm
        key={`${shut.project.id} ${shut.to}`}
        {...shut}
        onBack={() => setShut(undefined)}
        onSent={() => {
          setShut(undefined);
          attach.remove();
          form.reset({ project_id: shut.project.id, to: '', message: '' });
        }}
      />
    );
  }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] md:grid-cols-[minmax(0,1fr)_minmax(0,18rem)]">
      <form
        noValidate
        {...attach.drop.handlers}
        onSubmit={(event) => void submit(event)}
        className="relative grid content-start gap-5 px-4 py-5 sm:px-5"
      >
        <Select
          form={form}
          name="project_id"
          label="Project"
          numeric
          required
          placeholder="Select a project"
          hint={projectHint(projects.find(({ id }) => id === form.watch('project_id')))}
          options={projects.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
        <div className="grid gap-1.5">
          <NumberField
            form={form}
            name="to"
            label="Recipient number"
            hint="Include the country code, without + or spaces."
            required
            placeholder="14155550132"
          />
          <AboutNumber projectId={form.watch('project_id')} number={form.watch('to')} />
        </div>
        <TextArea
          form={form}
          name="message"
          label={attachment === undefined ? 'Message' : 'Caption'}
          onPaste={attach.handlePaste}
          aside={
            <span className="text-muted tabular-nums">
              {message.length.toLocaleString('en')} / {maxLength.toLocaleString('en')}
            </span>
          }
          required={attachment === undefined}
        />
        <AttachmentCard attach={attach} />
        <FormFailure form={form} />
        <div className="flex items-center gap-1">
          <Button needs="messages:send" type="submit" variant="primary" busy={send.isPending && 'Sending...'}>
            Send message
          </Button>
          <AttachButton attach={attach} />
        </div>
        {attach.drop.isOver && <DropHint>Drop a file to attach it</DropHint>}
      </form>
      <Preview message={message} attachment={attachment} />
    </div>
  );
}

/** The current project where it can send, else the first that can. */
function useSendingProject(projects: readonly Project[]): number | undefined {
  const { currentProjectId } = useSession();
  return (projects.find(({ id }) => id === currentProjectId) ?? projects[0])?.id;
}

const notReady = {
  uploading: 'Wait until the file is uploaded',
  failed: 'Remove the file, or try it again',
} as const;

function Preview({ message, attachment }: { message: string; attachment: Attachment | undefined }) {
  const [openedAt] = useState(() => time.format(new Date()));
  return (
    <section aria-label="Preview" className="flex min-h-48 max-md:border-t md:border-l">
      <Chat className="max-h-110 flex-1 justify-end overflow-y-auto">
        {message.trim() === '' && attachment === undefined ? (
          <p className="m-auto text-13 text-chat-meta">Your message as it arrives</p>
        ) : (
          <ChatBubble
            text={message}
            time={openedAt}
            status="unsent"
            carried={attachment && <AttachedPreview attachment={attachment} />}
          />
        )}
      </Chat>
    </section>
  );
}
