import { clsx } from 'clsx';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { namesIn } from '#contracts/whatsapp-template-parts.ts';
import { templateLimits } from '#contracts/whatsapp-template-rules.ts';
import { controlClass } from '#web/shared/form/control-class.ts';
import { Field } from '#web/shared/form/field.tsx';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { buttonTypes, emptyButton, type ButtonDraft } from './draft.ts';
import { Length } from './length.tsx';
import type { Editing } from './use-template-draft.ts';

const words: Readonly<Record<ButtonDraft['type'], string>> = {
  QUICK_REPLY: 'Quick reply',
  URL: 'Open a page',
  PHONE_NUMBER: 'Call a number',
  COPY_CODE: 'Copy a code',
};

export function ButtonsCard({ editing }: { editing: Editing }) {
  const { draft, change, errorOf, isReadOnly } = editing;
  const { buttons } = draft;
  const set = (index: number, changes: Partial<ButtonDraft>) =>
    change({ buttons: buttons.map((button, place) => (place === index ? { ...button, ...changes } : button)) });

  const list = useRef<HTMLOListElement>(null);
  const [lastMove, setLastMove] = useState<{ to: number; step: 1 | -1 }>();
  // The focus goes with the button that was moved, so that it is moved further by the same key.
  useEffect(() => {
    if (lastMove === undefined) return;
    const [up, down] = list.current?.children[lastMove.to]?.querySelectorAll<HTMLElement>('[data-move]') ?? [];
    const [next, other] = lastMove.step < 0 ? [up, down] : [down, up];
    (next?.matches(':disabled') === true ? other : next)?.focus();
  }, [lastMove]);

  function move(index: number, step: 1 | -1): void {
    const next = [...buttons];
    const [moved] = next.splice(index, 1);
    if (moved !== undefined) next.splice(index + step, 0, moved);
    change({ buttons: next });
    setLastMove({ to: index + step, step });
  }

  const error = errorOf('buttons');
  return (
    <Card
      flush
      title="Buttons"
      description="Up to ten: two that open a page, one that calls, one that copies a code. The first three show at once."
      {...(!isReadOnly && {
        footer: (
          <Button
            size="small"
            icon={<Plus aria-hidden="true" className="size-3.5" />}
            disabled={buttons.length >= templateLimits.buttons}
            onClick={() => change({ buttons: [...buttons, emptyButton('QUICK_REPLY')] })}
          >
            Add a button
          </Button>
        ),
      })}
    >
      {error !== undefined && (
        <p role="alert" className="border-b px-4 py-2.5 text-13 text-red-ink sm:px-5">
          {error}
        </p>
      )}
      {buttons.length === 0 && <p className="px-4 py-4 text-muted sm:px-5">No buttons</p>}
      <ol ref={list} className="divide-y">
        {buttons.map((button, index) => (
          // Two buttons may be the same.
          <li key={index} className="flex items-start gap-2 px-4 py-3 sm:px-5">
            <fieldset disabled={isReadOnly} className="grid min-w-0 flex-1 gap-3 sm:grid-cols-2">
              <legend className="sr-only">Button {index + 1}</legend>
              <Field label="Kind" error={errorOf(`buttons.${index}.type`)}>
                {(control) => (
                  <SelectInput
                    {...control}
                    value={button.type}
                    options={buttonTypes.map((type) => ({ value: type, label: words[type] }))}
                    onChange={({ target }) => {
                      const type = buttonTypes.find((each) => each === target.value);
                      if (type !== undefined) set(index, { type });
                    }}
                  />
                )}
              </Field>
              <ButtonFields
                button={button}
                onChange={(changes) => set(index, changes)}
                errorOf={(field) => errorOf(`buttons.${index}.${field}`)}
              />
            </fieldset>
            {!isReadOnly && (
              <span className="flex shrink-0 pt-6 max-sm:flex-col">
                <IconButton
                  label={`Move button ${index + 1} up`}
                  data-move
                  size="small"
                  disabled={index === 0}
                  icon={<ArrowUp aria-hidden="true" className="size-3.5" />}
                  onClick={() => move(index, -1)}
                />
                <IconButton
                  label={`Move button ${index + 1} down`}
                  data-move
                  size="small"
                  disabled={index === buttons.length - 1}
                  icon={<ArrowDown aria-hidden="true" className="size-3.5" />}
                  onClick={() => move(index, 1)}
                />
                <IconButton
                  label={`Delete button ${index + 1}`}
                  size="small"
                  icon={<Trash2 aria-hidden="true" className="size-3.5" />}
                  onClick={() => change({ buttons: buttons.filter((_, place) => place !== index) })}
                />
              </span>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

type ButtonFieldsProps = {
  button: ButtonDraft;
  onChange: (changes: Partial<ButtonDraft>) => void;
  errorOf: (field: string) => string | undefined;
};

function ButtonFields({ button, onChange, errorOf }: ButtonFieldsProps) {
  const { type, text, url, phone, example } = button;
  return (
    <>
      {type !== 'COPY_CODE' && (
        <Input
          label="Words"
          value={text}
          error={errorOf('text')}
          aside={<Length of={text} max={templateLimits.buttonText} />}
          placeholder={type === 'QUICK_REPLY' ? 'I am on my way' : type === 'URL' ? 'See the order' : 'Call us'}
          onChange={(next) => onChange({ text: next })}
        />
      )}
      {type === 'URL' && (
        <>
          <Input
            label="Address"
            value={url}
            error={errorOf('url')}
            hint="With {{1}} at its end, each message brings its own ending."
            placeholder="https://shop.example/orders/{{1}}"
            isMono
            onChange={(next) => onChange({ url: next })}
          />
          {namesIn(url).length > 0 && (
            <Input
              label="Example of the whole address"
              value={example}
              error={errorOf('example')}
              placeholder="https://shop.example/orders/4821"
              isMono
              onChange={(next) => onChange({ example: next })}
            />
          )}
        </>
      )}
      {type === 'PHONE_NUMBER' && (
        <Input
          label="Number"
          value={phone}
          error={errorOf('phone')}
          placeholder="+351 210 555 480"
          onChange={(next) => onChange({ phone: next })}
        />
      )}
      {type === 'COPY_CODE' && (
        <Input
          label="Example of the code"
          value={example}
          error={errorOf('example')}
          hint="Each message brings its own."
          placeholder="SPRING20"
          isMono
          onChange={(next) => onChange({ example: next })}
        />
      )}
    </>
  );
}

type InputProps = {
  label: string;
  value: string;
  error: string | undefined;
  hint?: string;
  aside?: React.ReactNode;
  placeholder?: string;
  isMono?: boolean;
  onChange: (value: string) => void;
};

function Input({ label, value, error, hint, aside, placeholder, isMono = false, onChange }: InputProps) {
  return (
    <Field label={label} error={error} hint={hint} aside={aside}>
      {(control) => (
        <input
          {...control}
          dir={isMono ? 'ltr' : 'auto'}
          autoComplete="off"
          spellCheck={!isMono}
          maxLength={2000}
          value={value}
          placeholder={placeholder}
          onChange={({ target }) => onChange(target.value)}
          className={clsx(controlClass, 'h-(--control) px-3', isMono && 'font-mono text-13')}
        />
      )}
    </Field>
  );
}
