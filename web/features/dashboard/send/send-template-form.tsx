import { ArrowLeft, Send } from 'lucide-react';
import { useState } from 'react';
import type { Project } from '#contracts/projects.ts';
import { errorText } from '#web/shared/api-error.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';
import {
  TemplateMessageFields,
  TemplateMessagePreview,
} from '#web/shared/whatsapp-template/template-message-fields.tsx';
import { useTemplateMessage } from '#web/shared/whatsapp-template/use-template-message.ts';
import { useSendMessage } from './use-send-message.ts';

type SendTemplateFormProps = { project: Project; to: string; onBack: () => void; onSent: () => void };

/** In place of the text that may no longer reach the person: an approved template. */
export function SendTemplateForm({ project, to, onBack, onSent }: SendTemplateFormProps) {
  const message = useTemplateMessage({ place: `template of dashboard ${to}`, projectId: project.id });
  const send = useSendMessage();
  const [failure, setFailure] = useState<string>();

  async function submit(): Promise<void> {
    setFailure(undefined);
    const template = message.read();
    if (template === undefined) return;
    try {
      await send.mutateAsync({ sender: project, body: { to, type: 'template', template } });
      message.reset();
      onSent();
    } catch (error) {
      if (!message.refuse(error)) setFailure(errorText(error, 'Failed to send message'));
    }
  }

  return (
    <form
      noValidate
      aria-label="Send a template"
      className="grid grid-cols-[minmax(0,1fr)] md:grid-cols-[minmax(0,1fr)_minmax(0,18rem)]"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className="grid content-start gap-5 px-4 py-5 sm:px-5">
        <Notice color="yellow" title="Only an approved template reaches this person now" live>
          <PhoneText digits={to.replace(/^\+/, '')} /> has not written for 24 hours. Your text is kept: go back to it
          once they have answered.
        </Notice>
        <TemplateMessageFields projectId={project.id} message={message} disabled={send.isPending} />
        {failure !== undefined && (
          <p role="alert" className="text-13 text-red-ink">
            {failure}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button
            needs="messages:send"
            type="submit"
            variant="primary"
            icon={<Send aria-hidden="true" className="size-4" />}
            busy={send.isPending && 'Sending...'}
          >
            Send template
          </Button>
          <Button icon={<ArrowLeft aria-hidden="true" className="size-4" />} disabled={send.isPending} onClick={onBack}>
            Back to the text
          </Button>
        </div>
      </div>
      <section aria-label="Preview" className="min-h-48 bg-chat-wall max-md:border-t md:border-l">
        <TemplateMessagePreview message={message} />
      </section>
    </form>
  );
}
