import { clsx } from 'clsx';
import { Paperclip } from 'lucide-react';
import { mediaRules } from '#contracts/media.ts';
import { AttachedPreview } from '../attach/attached-preview.tsx';
import { AttachmentCard } from '../attach/attachment-card.tsx';
import { chooseFile } from '../attach/choose-file.ts';
import { controlClass } from '../form/control-class.ts';
import { Field } from '../form/field.tsx';
import { Button } from '../ui/button.tsx';
import { Chat } from '../ui/chat-bubble.tsx';
import { TemplateBubble } from './template-bubble.tsx';
import { TemplatePicker } from './template-picker.tsx';
import type { TemplateMessage } from './use-template-message.ts';

type TemplateMessageFieldsProps = { projectId: number; message: TemplateMessage; disabled?: boolean };

/** The template, its variables and the file of its header. */
export function TemplateMessageFields({ projectId, message, disabled = false }: TemplateMessageFieldsProps) {
  const { template, variables, values, attach, errorOf, choose, set } = message;
  const kind = template?.header_media ?? undefined;
  const fileError = errorOf('header_media');
  return (
    <div className="grid min-w-0 gap-3">
      <TemplatePicker
        projectId={projectId}
        value={template}
        onChoose={choose}
        error={errorOf('name') ?? errorOf('language')}
        disabled={disabled}
      />
      {variables.length > 0 && (
        <div className="grid gap-3 sm:grid-cols-2">
          {variables.map(({ name, part }) => (
            <Field key={name} label={labelOf(name, part)} error={errorOf(`variables.${name}`)}>
              {(control) => (
                <input
                  {...control}
                  dir="auto"
                  autoComplete="off"
                  maxLength={1024}
                  disabled={disabled}
                  value={values[name] ?? ''}
                  onChange={({ target }) => set(name, target.value)}
                  className={clsx(controlClass, 'h-(--control-small) px-2.5 text-13')}
                />
              )}
            </Field>
          ))}
        </div>
      )}
      {kind !== undefined && (
        <div className="grid gap-1.5">
          {attach.attachment === undefined ? (
            <Button
              size="small"
              className="w-fit"
              icon={<Paperclip aria-hidden="true" className="size-3.5" />}
              onClick={() => chooseFile(mediaRules[kind].types, attach.attach)}
            >
              {fileWords[kind]}
            </Button>
          ) : (
            <AttachmentCard attach={attach} />
          )}
          {fileError !== undefined && (
            <p role="alert" className="text-13 text-red-ink">
              {fileError}
            </p>
          )}
        </div>
      )}
    </div>
  );
}

export const fileWords = { image: 'Add the picture', video: 'Add the video', document: 'Add the document' } as const;

export function labelOf(name: string, part: 'header' | 'body' | 'button'): string {
  if (part === 'button') return /^button_\d+$/.test(name) ? `Ending of button ${name.slice('button_'.length)}` : name;
  if (part === 'header' && /^header_\d+$/.test(name)) return `Header, ${name.slice('header_'.length)}`;
  return name;
}

/** The template with its values, as its reader sees it. */
export function TemplateMessagePreview({ message: { template, values, attach } }: { message: TemplateMessage }) {
  if (template === undefined) return null;
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));
  return (
    <Chat>
      <TemplateBubble
        template={template}
        values={given}
        carried={attach.attachment && <AttachedPreview attachment={attach.attachment} />}
      />
    </Chat>
  );
}
