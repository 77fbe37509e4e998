import { clsx } from 'clsx';
import { CircleAlert } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { mediaRules } from '#contracts/media.ts';
import { AttachmentCard } from '../attach/attachment-card.tsx';
import { CarriedCard } from '../attach/carried-card.tsx';
import { chooseFile } from '../attach/choose-file.ts';
import { controlClass } from '../form/control-class.ts';
import { Field } from '../form/field.tsx';
import { ColumnChips } from '../template/column-chips.tsx';
import { InsertPlaceholder } from '../template/insert-placeholder.tsx';
import type { PlaceholderSpelling } from '../template/placeholders.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { fileWords, labelOf } from './template-message-fields.tsx';
import { TemplatePicker } from './template-picker.tsx';
import { languageName, templateStatusWords } from './template-words.ts';
import { boundVariables, type BoundTemplateForm } from './use-bound-template.ts';

type BoundTemplateFieldsProps = {
  form: BoundTemplateForm;
  /** The fault of `variables.order`, `header_media` or, by the empty path, of the template itself. */
  errorOf: (path: string) => string | undefined;
  /** How placeholders of profiles are written. */
  spelling?: PlaceholderSpelling;
  /** Of a file whose columns fill the variables, in place of profiles. */
  columns?: readonly string[];
  hint?: ReactNode;
};

const maxText = 1024;

/** The template of a campaign, a flow or a bulk run: each variable a text with placeholders and its default. */
export function BoundTemplateFields({ form, errorOf, spelling = 'short', columns, hint }: BoundTemplateFieldsProps) {
  const { projectId, value, template, isOff, choose, set } = form;
  const lastTyped = useRef<HTMLInputElement>(null);
  const variables = boundVariables(form);

  function insertInto(placeholder: string): void {
    const empty = variables.find(({ bound }) => bound.text.trim() === '') ?? variables[0];
    const input = lastTyped.current;
    const name = input?.dataset['variable'] ?? empty?.name;
    const bound = variables.find((variable) => variable.name === name)?.bound;
    if (name === undefined || bound === undefined) return;
    const at = input?.selectionStart ?? bound.text.length;
    const end = input?.selectionEnd ?? at;
    set(name, { ...bound, text: bound.text.slice(0, at) + placeholder + bound.text.slice(end) });
    input?.focus();
  }

  if (projectId === undefined) return <p className="text-13 text-muted">Choose the project whose template it is.</p>;
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
      <TemplatePicker
        projectId={projectId}
        value={value ?? undefined}
        onChoose={choose}
        error={errorOf('') ?? errorOf('name') ?? errorOf('language')}
        disabled={isOff}
      />
      <Languages form={form} />
      {variables.length > 0 && (
        <ul aria-label="Variables" className="grid gap-3">
          {variables.map(({ name, part, bound }) => (
            <li key={name} className="grid grid-cols-[minmax(0,1fr)] gap-2 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
              <Field label={labelOf(name, part)} error={errorOf(`variables.${name}`)}>
                {(control) => (
                  <input
                    {...control}
                    dir="auto"
                    autoComplete="off"
                    maxLength={maxText}
                    disabled={isOff}
                    value={bound.text}
                    data-variable={name}
                    onFocus={(event) => (lastTyped.current = event.currentTarget)}
                    onChange={({ target }) => set(name, { ...bound, text: target.value })}
                    className={clsx(controlClass, 'h-(--control-small) px-2.5 text-13')}
                  />
                )}
              </Field>
              <Field label={`${labelOf(name, part)}, if empty`}>
                {(control) => (
                  <input
                    {...control}
                    dir="auto"
                    autoComplete="off"
                    maxLength={maxText}
                    disabled={isOff}
                    placeholder="Skip them"
                    value={bound.default}
                    onChange={({ target }) => set(name, { ...bound, default: target.value })}
                    className={clsx(controlClass, 'h-(--control-small) px-2.5 text-13')}
                  />
                )}
              </Field>
            </li>
          ))}
        </ul>
      )}
      {variables.length > 0 && !isOff && (
        <div className="flex flex-wrap items-center gap-2">
          {columns ? (
            <ColumnChips columns={columns} onInsert={insertInto} />
          ) : (
            <InsertPlaceholder spelling={spelling} disabled={false} onInsert={insertInto} />
          )}
        </div>
      )}
      <HeaderFile form={form} error={errorOf('header_media') ?? errorOf('header_media.id')} />
      {hint !== undefined && <p className="text-13 text-pretty text-muted">{hint}</p>}
      {template !== undefined && template.status !== 'approved' && (
        <Notice
          color="yellow"
          title={`The template is ${templateStatusWords[template.status].word.toLowerCase()}`}
          live
        >
          {template.status === 'paused' ? 'Messages wait until it can be sent again.' : 'Choose one that is approved.'}
        </Notice>
      )}
    </div>
  );
}

/** The languages in which it goes out, and those in which it does not. */
function Languages({ form: { value, languages, isMissing } }: { form: BoundTemplateForm }) {
  if (isMissing) {
    return (
      <Notice color="red" title="The template is gone" live>
        The numbers of this project have no template of this name in {languageName(value?.language ?? '')} any more.
      </Notice>
    );
  }
  const { sent, others } = languages;
  if (value === null || sent.length === 0) return null;
  const own = languageName(value.language);
  const names = new Intl.ListFormat('en-GB').format(sent.map(({ language }) => languageName(language)));
  return (
    <p className="text-13 text-pretty text-muted" role="status">
      {sent.length === 1
        ? `Everyone gets it in ${own}.`
        : `In ${names}: each person in their own language, all others in ${own}.`}
      {others.map(({ id, language, status }) => (
        <span key={id}>
          {' '}
          {languageName(language)} is left out: {leftOutWords(status)}.
        </span>
      ))}
    </p>
  );
}

const leftOutWords = (status: keyof typeof templateStatusWords) =>
  status === 'approved' || status === 'paused'
    ? 'it has other variables'
    : templateStatusWords[status].word.toLowerCase();

function HeaderFile({ form, error }: { form: BoundTemplateForm; error: string | undefined }) {
  const { kind, file, isOff } = form;
  const { attach, value } = file;
  const button = useRef<HTMLButtonElement>(null);
  if (kind === undefined) return null;

  /** The focus stays here once the button that had it is gone. */
  const andFocus = (act: () => void) => () => {
    act();
    button.current?.focus();
  };

  return (
    <div role="group" aria-label="File of the header" className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      {value !== null && attach.attachment?.state !== 'uploading' && (
        <CarriedCard media={value} onRemove={isOff ? undefined : andFocus(file.remove)} />
      )}
      <AttachmentCard attach={{ ...attach, remove: andFocus(attach.remove) }} />
      {error !== undefined && (
        <p role="alert" className="flex gap-1.5 text-13 text-red-ink">
          <CircleAlert aria-hidden="true" className="mt-0.75 size-3.5 shrink-0" />
          {error}
        </p>
      )}
      {!isOff && (
        <Button
          ref={button}
          size="small"
          className="w-fit"
          onClick={() => chooseFile(mediaRules[kind].types, attach.attach)}
        >
          {value === null && attach.attachment === undefined ? fileWords[kind] : 'Replace the file'}
        </Button>
      )}
    </div>
  );
}
