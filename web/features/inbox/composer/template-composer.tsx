import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Lock, Send, X } from 'lucide-react';
import { useState } from 'react';
import type { ConversationDetail } from '#contracts/conversations.ts';
import type { Message } from '#contracts/messages.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { CheckInput } from '#web/shared/form/checkbox.tsx';
import { paths } from '#web/shared/paths.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { useTryKey } from '#web/shared/use-try-key.ts';
import { approvedTemplatesQuery } from '#web/shared/whatsapp-template/template-queries.ts';
import {
  TemplateMessageFields,
  TemplateMessagePreview,
} from '#web/shared/whatsapp-template/template-message-fields.tsx';
import { useTemplateMessage } from '#web/shared/whatsapp-template/use-template-message.ts';
import { contactProfileQuery } from '../contact/contact-profile-query.ts';

type TemplateComposerProps = {
  conversation: ConversationDetail;
  /** The 24 hours are over: nothing else reaches the person. */
  isShut: boolean;
  /** Back to writing freely; absent where that is not possible. */
  onClose?: (() => void) | undefined;
  onSent: (message: Message) => void;
};

/** Sends one of the approved templates, filled with what the profile says. */
export function TemplateComposer({ conversation, isShut, onClose, onSent }: TemplateComposerProps) {
  const { id, project_id: projectId, profile_id: profileId, name, opted_out: isOptedOut } = conversation;
  const queryClient = useQueryClient();
  const { data: profile } = useQuery(contactProfileQuery(profileId));
  const { data: approved } = useQuery(approvedTemplatesQuery(projectId));
  const message = useTemplateMessage({ place: `template of conversation ${id}`, projectId, profile });
  const [overrides, setOverrides] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { keyOf, forget } = useTryKey();
  const send = useMutation({
    mutationFn: (template: NonNullable<ReturnType<typeof message.read>>) => {
      const body = { type: 'template' as const, template, ...(overrides && { override_opt_out: true }) };
      const call = { params: { conversationId: id }, body };
      return callApi('POST /api/conversations/{conversationId}/messages', call, { idempotencyKey: keyOf(body) });
    },
    onSuccess: (sent) => {
      forget();
      onSent(sent);
      message.reset();
      setOverrides(false);
      onClose?.();
    },
    onError: (error) => {
      if (!message.refuse(error)) setFailure(errorText(error, 'The template was not sent. Try again.'));
      void queryClient.invalidateQueries({ queryKey: queryKeys.conversations });
    },
  });

  function submit(): void {
    setFailure(undefined);
    const template = message.read();
    if (template !== undefined) send.mutate(template);
  }

  const hasNone = approved?.data.length === 0;
  return (
    <section aria-label="Send a template" className="overflow-clip rounded-base border border-control bg-surface">
      <header className="flex items-start gap-2.5 border-b bg-sunken px-3.5 py-2.5 text-13">
        {isShut && <Lock aria-hidden="true" className="mt-0.5 size-3.5 shrink-0 text-muted" />}
        <p role="status" className="min-w-0 flex-1 text-pretty">
          {isShut ? (
            <>
              <b className="font-medium">
                <Shut name={name ?? 'this person'} hasWritten={conversation.window_expires_at !== null} />
              </b>{' '}
              WhatsApp now takes only an approved template. Once it is answered, you can write freely.
            </>
          ) : (
            <b className="font-medium">Send a template</b>
          )}
        </p>
        {onClose !== undefined && (
          <IconButton
            label="Close templates"
            size="small"
            icon={<X aria-hidden="true" className="size-3.5" />}
            onClick={onClose}
          />
        )}
      </header>
      {hasNone ? (
        <p className="px-3.5 py-3.5 text-muted">
          No template is approved for this number yet.{' '}
          <Link to={paths.whatsappTemplates} className="text-accent-ink underline">
            WhatsApp templates
          </Link>
        </p>
      ) : (
        <>
          <div className="grid max-h-[45dvh] gap-3 overflow-y-auto px-3.5 py-3">
            <TemplateMessageFields projectId={projectId} message={message} disabled={send.isPending} />
            {message.template !== undefined && (
              <div className="overflow-clip rounded-base border">
                <TemplateMessagePreview message={message} />
              </div>
            )}
          </div>
          {failure !== undefined && (
            <p role="alert" className="border-t px-3.5 py-2 text-13 text-red-ink">
              {failure}
            </p>
          )}
          <footer className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2 border-t px-3.5 py-2.5">
            {isOptedOut && (
              <span className="mr-auto text-13">
                <CheckInput
                  label="This person has opted out: send this one all the same"
                  checked={overrides}
                  onChange={({ target }) => setOverrides(target.checked)}
                />
              </span>
            )}
            <Button
              size="small"
              variant="primary"
              icon={<Send aria-hidden="true" className="size-4" />}
              busy={send.isPending && 'Sending...'}
              disabled={isOptedOut && !overrides}
              onClick={submit}
            >
              Send template
            </Button>
          </footer>
        </>
      )}
    </section>
  );
}

/** Of a person who never wrote to the number, as after it was moved, nothing has passed. */
function Shut({ name, hasWritten }: { name: string; hasWritten: boolean }) {
  const person = <bdi>{name}</bdi>;
  if (hasWritten) return <>24 hours have passed since {person} last wrote.</>;
  return <>This number has heard nothing from {person} in the last 24 hours.</>;
}
