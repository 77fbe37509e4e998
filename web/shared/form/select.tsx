import type { ComponentProps } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { Field, type FieldTexts } from './field.tsx';
import { SelectInput } from './select-input.tsx';
import { useFieldError, type FormOf } from './use-zod-form.ts';

type SelectProps<T extends FieldValues> = FieldTexts &
  Omit<ComponentProps<typeof SelectInput>, 'name' | 'form'> & {
    form: FormOf<T>;
    name: FieldPath<T>;
    /** The form's value is the chosen option read as a number: an id. */
    numeric?: boolean;
  };

export function Select<T extends FieldValues>(props: SelectProps<T>) {
  const { form, name, label, quietLabel, hint, aside, className, numeric = false, ...selectProps } = props;
  const error = useFieldError(form, name);
  const registration = numeric ? form.register(name, { setValueAs: idFromText }) : form.register(name);
  return (
    <Field label={label} quietLabel={quietLabel} hint={hint} aside={aside} error={error} className={className}>
      {(control) => <SelectInput {...selectProps} {...control} {...registration} />}
    </Field>
  );
}

function idFromText(text: unknown): number | undefined {
  return text === '' || text === undefined ? undefined : Number(text);
}
