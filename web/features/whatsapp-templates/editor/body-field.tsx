import { clsx } from 'clsx';
import { Bold, Braces, Code, Italic, Strikethrough, type LucideIcon } from 'lucide-react';
import { useRef, useState } from 'react';
import { namesIn } from '#contracts/whatsapp-template-parts.ts';
import { templateLimits } from '#contracts/whatsapp-template-rules.ts';
import { controlClass } from '#web/shared/form/control-class.ts';
import { Field } from '#web/shared/form/field.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Length } from './length.tsx';
import type { Editing } from './use-template-draft.ts';

/** WhatsApp's own signs around a text. */
const marks: readonly (readonly [label: string, icon: LucideIcon, sign: string])[] = [
  ['Bold', Bold, '*'],
  ['Italic', Italic, '_'],
  ['Struck through', Strikethrough, '~'],
  ['Monospace', Code, '```'],
];

export function BodyField({ editing: { draft, change, errorOf, isReadOnly } }: { editing: Editing }) {
  const control = useRef<HTMLTextAreaElement>(null);
  const [name, setName] = useState('');
  const isNamed = draft.format === 'named';

  function replaceSelection(make: (selected: string) => string): void {
    const area = control.current;
    if (area === null) return;
    const { selectionStart: start, selectionEnd: end, value } = area;
    area.setRangeText(make(value.slice(start, end)), start, end, 'end');
    change({ body: area.value });
    area.focus();
  }

  function addVariable(): void {
    const count = namesIn(draft.body).length + 1;
    const own = isNamed ? (name === '' ? freeName(draft.body) : name) : String(count);
    replaceSelection(() => `{{${own}}}`);
    setName('');
  }

  return (
    <div className="grid gap-2">
      <Field
        label="Body"
        error={errorOf('body')}
        aside={<Length of={draft.body} max={templateLimits.body} />}
        hint={isNamed ? undefined : 'Its variables are counted: {{1}}, {{2}}.'}
      >
        {(field) => (
          <textarea
            {...field}
            ref={control}
            rows={7}
            dir="auto"
            disabled={isReadOnly}
            value={draft.body}
            placeholder="Hi {{first_name}}, your order {{order}} is ready to pick up."
            onChange={({ target }) => change({ body: target.value })}
            className={clsx(controlClass, 'min-h-36 resize-y px-3 py-2')}
          />
        )}
      </Field>
      {!isReadOnly && (
        <div className="flex flex-wrap items-center gap-1">
          {marks.map(([label, Icon, sign]) => (
            <IconButton
              key={label}
              label={label}
              size="small"
              icon={<Icon aria-hidden="true" className="size-3.5" />}
              onClick={() => replaceSelection((selected) => `${sign}${selected}${sign}`)}
            />
          ))}
          <span className="ml-auto flex min-w-0 items-center gap-2 max-sm:ml-0">
            {isNamed && (
              <input
                aria-label="Name of the variable"
                placeholder="first_name"
                value={name}
                autoComplete="off"
                spellCheck={false}
                maxLength={60}
                onChange={({ target }) => setName(variableName(target.value))}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter') return;
                  event.preventDefault();
                  addVariable();
                }}
                className={clsx(controlClass, 'h-(--control-small) w-36 px-2.5 font-mono text-13')}
              />
            )}
            <Button size="small" icon={<Braces aria-hidden="true" className="size-3.5" />} onClick={addVariable}>
              Add variable
            </Button>
          </span>
        </div>
      )}
    </div>
  );
}

/** Small letters, digits and _, a letter first. */
const variableName = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '_')
    .replace(/^[^a-z]+/, '');

const usualNames = ['first_name', 'order', 'date', 'amount'];

function freeName(body: string): string {
  const used = namesIn(body);
  const usual = usualNames.find((name) => !used.includes(name));
  return usual ?? `value_${used.length + 1}`;
}
