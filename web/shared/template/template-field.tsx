import { clsx } from 'clsx';
import { TriangleAlert } from 'lucide-react';
import { useRef } from 'react';
import { useController, type FieldPath, type FieldValues } from 'react-hook-form';
import { maxTextLength } from '#contracts/message-content.ts';
import { controlClass } from '../form/control-class.ts';
import { Field, type FieldTexts } from '../form/field.tsx';
import { useFieldError, type FormOf } from '../form/use-zod-form.ts';
import { InsertPlaceholder } from './insert-placeholder.tsx';
import { PickTemplate } from './pick-template.tsx';
import { placeholderList, type PlaceholderSpelling } from './placeholders.ts';
import { useUnknownPlaceholders } from './profile-fields.ts';

type TemplateFieldProps<T extends FieldValues> = Omit<FieldTexts, 'aside'> & {
  form: FormOf<T>;
  name: FieldPath<T>;
  placeholder?: string;
  /** How the placeholders it inserts are written. */
  spelling?: PlaceholderSpelling;
  /** Whether one of the saved templates may take the place of what is typed. */
  hasSavedTemplates?: boolean;
  disabled?: boolean;
  /** Characters; a caption has fewer. */
  maxLength?: number;
};

/** A message with placeholders: inserts those of the account's fields, counts, and warns of what nobody fills. */
export function TemplateField<T extends FieldValues>(props: TemplateFieldProps<T>) {
  const {
    form,
    name,
    label,
    hint,
    placeholder,
    spelling = 'short',
    hasSavedTemplates = true,
    disabled = false,
    maxLength = maxTextLength,
  } = props;
  const { field } = useController({ control: form.control, name });
  const error = useFieldError(form, name);
  const textArea = useRef<HTMLTextAreaElement>(null);
  const value: string = field.value ?? '';

  function insert(text: string): void {
    const control = textArea.current;
    if (control === null) return;
    control.setRangeText(text, control.selectionStart, control.selectionEnd, 'end');
    field.onChange(control.value);
    control.focus();
  }

  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      <Field label={label} hint={hint} error={error} aside={<Length of={value} max={maxLength} />}>
        {(control) => (
          <textarea
            {...control}
            name={field.name}
            ref={(element) => {
              textArea.current = element;
              field.ref(element);
            }}
            rows={4}
            dir="auto"
            value={value}
            disabled={disabled}
            placeholder={placeholder}
            onChange={field.onChange}
            onBlur={field.onBlur}
            className={clsx(controlClass, 'min-h-26 resize-y px-3 py-2')}
          />
        )}
      </Field>
      {!disabled && (
        <div className="flex flex-wrap items-center gap-2">
          <InsertPlaceholder spelling={spelling} disabled={disabled} onInsert={insert} />
          {hasSavedTemplates && <PickTemplate disabled={disabled} onPick={field.onChange} />}
        </div>
      )}
      <UnknownPlaceholders template={value} />
    </div>
  );
}

function Length({ of: text, max }: { of: string; max: number }) {
  const isTooLong = text.length > max;
  return (
    <span className={clsx('tabular-nums', isTooLong ? 'text-red-ink' : 'text-muted')}>
      {text.length.toLocaleString('en')} / {max.toLocaleString('en')}
    </span>
  );
}

function UnknownPlaceholders({ template }: { template: string }) {
  const unknown = useUnknownPlaceholders(template);
  return (
    <div role="status">
      {unknown.length > 0 && (
        <p className="flex gap-1.5 text-13 text-yellow-ink wrap-anywhere">
          <TriangleAlert aria-hidden="true" className="mt-0.75 size-3.5 shrink-0" />
          No profile has {placeholderList(unknown)}: {unknown.length === 1 ? 'it becomes' : 'they become'} empty text.
        </p>
      )}
    </div>
  );
}
