import { clsx } from 'clsx';
import { useRef } from 'react';
import { controlClass } from '#web/shared/form/control-class.ts';
import { Field } from '#web/shared/form/field.tsx';
import { unknownPlaceholders } from './fill-message.ts';
import { PickTemplate } from '#web/shared/template/pick-template.tsx';
import { ColumnChips } from '#web/shared/template/column-chips.tsx';

type MessageFieldProps = {
  value: string;
  /** Of the file. */
  columns: readonly string[];
  /** Characters; a caption has fewer. */
  maxLength: number;
  disabled: boolean;
  onChange: (message: string) => void;
};

/** The text of all messages; a chip puts its placeholder where the caret is. */
export function MessageField({ value, columns, maxLength, disabled, onChange }: MessageFieldProps) {
  const unknown = unknownPlaceholders(value, columns);
  const textArea = useRef<HTMLTextAreaElement>(null);

  function insert(placeholder: string): void {
    const control = textArea.current;
    if (control === null) return;
    control.setRangeText(placeholder, control.selectionStart, control.selectionEnd, 'end');
    onChange(control.value);
    control.focus();
  }

  return (
    <div className="grid gap-2">
      <Field
        label="Message"
        error={errorOf(value, { unknown, maxLength })}
        aside={
          <span className="text-muted tabular-nums">
            {value.length.toLocaleString('en')} / {maxLength.toLocaleString('en')}
          </span>
        }
      >
        {(control) => (
          <textarea
            {...control}
            ref={textArea}
            rows={4}
            dir="auto"
            value={value}
            maxLength={maxLength}
            disabled={disabled}
            placeholder="Hi {name}, your order from {shop} is ready."
            onChange={({ target }) => onChange(target.value)}
            className={clsx(controlClass, 'min-h-21 resize-y px-3 py-2')}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-2">
        <ColumnChips columns={columns} disabled={disabled} onInsert={insert} />
        <PickTemplate disabled={disabled} onPick={onChange} />
        <span className="text-13 text-muted">Filled in for each row.</span>
      </div>
    </div>
  );
}

type Limits = { unknown: readonly string[]; maxLength: number };

function errorOf(value: string, { unknown, maxLength }: Limits): string | undefined {
  // More can stand here than can be typed, once a file has come to a long text.
  if (value.length > maxLength) return `Use at most ${maxLength} characters with a file`;
  return unknown.length === 0 ? undefined : unknownText(unknown);
}

export function unknownText(unknown: readonly string[]): string {
  const list = new Intl.ListFormat('en-GB').format(unknown);
  return `${list} ${unknown.length === 1 ? 'is' : 'are'} not filled in. Use {name} and {shop}, a column of the file, or a default such as {name|there}.`;
}
