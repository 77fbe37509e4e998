import { clsx } from 'clsx';
import { Ban, FileText, Image, MapPin, Type, Video, type LucideIcon } from 'lucide-react';
import { templateLimits } from '#contracts/whatsapp-template-rules.ts';
import { controlClass } from '#web/shared/form/control-class.ts';
import { Field } from '#web/shared/form/field.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { BodyField } from './body-field.tsx';
import { headerKinds, type HeaderKind } from './draft.ts';
import { ExampleFields } from './example-fields.tsx';
import { HeaderFileField } from './header-file-field.tsx';
import { Length } from './length.tsx';
import type { Editing } from './use-template-draft.ts';

const headers: Readonly<Record<HeaderKind, { icon: LucideIcon; word: string }>> = {
  none: { icon: Ban, word: 'None' },
  text: { icon: Type, word: 'Text' },
  image: { icon: Image, word: 'Picture' },
  video: { icon: Video, word: 'Video' },
  document: { icon: FileText, word: 'Document' },
  location: { icon: MapPin, word: 'Place' },
};

type TextCardProps = { editing: Editing; place: string };

export function TextCard({ editing, place }: TextCardProps) {
  const { draft, change, errorOf, isReadOnly } = editing;
  return (
    <Card title="Text">
      <div className="grid gap-6">
        <fieldset disabled={isReadOnly} className="grid min-w-0 gap-3">
          <legend className="mb-1.5 text-13 font-medium">Header</legend>
          <div className="flex w-fit max-w-full flex-wrap gap-1 rounded-base bg-sunken p-1">
            {headerKinds.map((kind) => {
              const { icon: Icon, word } = headers[kind];
              return (
                <label
                  key={kind}
                  className={clsx(
                    'flex h-7 items-center gap-1.5 rounded-small px-2.5 text-13 has-focus-visible:outline-2 has-focus-visible:outline-focus',
                    draft.header === kind ? 'bg-surface font-medium shadow-control' : 'text-muted',
                    !isReadOnly && 'cursor-pointer hover:text-ink',
                  )}
                >
                  <input
                    type="radio"
                    name="header"
                    className="sr-only"
                    checked={draft.header === kind}
                    onChange={() => change({ header: kind, headerFile: null })}
                  />
                  <Icon aria-hidden="true" className="size-3.5" />
                  {word}
                </label>
              );
            })}
          </div>
          {draft.header === 'text' && (
            <Field
              label="Header text"
              error={errorOf('headerText')}
              hint="In bold above the text; at most one variable."
              aside={<Length of={draft.headerText} max={templateLimits.header} />}
            >
              {(control) => (
                <input
                  {...control}
                  dir="auto"
                  autoComplete="off"
                  value={draft.headerText}
                  onChange={({ target }) => change({ headerText: target.value })}
                  className={clsx(controlClass, 'h-(--control) px-3')}
                />
              )}
            </Field>
          )}
          {draft.header === 'location' && (
            <p className="text-13 text-pretty text-muted">
              A program gives the place with each message at Meta. From here and through this API such a template cannot
              be sent yet.
            </p>
          )}
          {(draft.header === 'image' || draft.header === 'video' || draft.header === 'document') && (
            <HeaderFileField editing={editing} kind={draft.header} place={place} />
          )}
        </fieldset>
        <BodyField editing={editing} />
        <ExampleFields editing={editing} />
        <Field
          label="Footer"
          error={errorOf('footer')}
          hint="Small, below the text. It has no variables."
          aside={<Length of={draft.footer} max={templateLimits.footer} />}
        >
          {(control) => (
            <input
              {...control}
              dir="auto"
              autoComplete="off"
              disabled={isReadOnly}
              value={draft.footer}
              onChange={({ target }) => change({ footer: target.value })}
              className={clsx(controlClass, 'h-(--control) px-3')}
            />
          )}
        </Field>
      </div>
    </Card>
  );
}
