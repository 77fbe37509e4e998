import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { controlClass } from './control-class.ts';
import { Field, type FieldTexts } from './field.tsx';
import { useFieldError, type FormOf } from './use-zod-form.ts';

type TextFieldProps<T extends FieldValues> = FieldTexts &
  Omit<ComponentProps<'input'>, 'name' | 'form'> & {
    form: FormOf<T>;
    name: FieldPath<T>;
    /** A number field: the form's value is a number. */
    numeric?: boolean;
    /** Emptied, the number is null: there is none. */
    mayBeNone?: boolean;
  };

export function TextField<T extends FieldValues>(props: TextFieldProps<T>) {
  const {
    form,
    name,
    label,
    quietLabel,
    hint,
    aside,
    numeric = false,
    mayBeNone = false,
    className,
    ...inputProps
  } = props;
  const error = useFieldError(form, name);
  const registration = numeric
    ? form.register(name, { setValueAs: mayBeNone ? numberOrNone : numberFromText })
    : form.register(name);
  return (
    <Field label={label} quietLabel={quietLabel} hint={hint} aside={aside} error={error} className={className}>
      {(control) => (
        <input
          type={numeric ? 'number' : 'text'}
          inputMode={numeric ? 'numeric' : undefined}
          {...inputProps}
          {...control}
          {...registration}
          className={clsx(controlClass, 'h-(--control) px-3', numeric && 'tabular-nums')}
        />
      )}
    </Field>
  );
}

/** An emptied number field is no number, so that the schema refuses it instead of reading 0. */
function numberFromText(text: unknown): number {
  return text === '' || text === null ? Number.NaN : Number(text);
}

const numberOrNone = (text: unknown): number | null => (text === '' || text === null ? null : Number(text));
