import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { controlClass } from './control-class.ts';
import { Field, type FieldTexts } from './field.tsx';
import { useFieldError, type FormOf } from './use-zod-form.ts';

type TextAreaProps<T extends FieldValues> = FieldTexts &
  Omit<ComponentProps<'textarea'>, 'name' | 'form'> & { form: FormOf<T>; name: FieldPath<T>; mono?: boolean };

export function TextArea<T extends FieldValues>(props: TextAreaProps<T>) {
  const { form, name, label, quietLabel, hint, aside, className, mono = false, ...textAreaProps } = props;
  const error = useFieldError(form, name);
  return (
    <Field label={label} quietLabel={quietLabel} hint={hint} aside={aside} error={error} className={className}>
      {(control) => (
        <textarea
          rows={4}
          dir={mono ? 'ltr' : 'auto'}
          {...textAreaProps}
          {...control}
          {...form.register(name)}
          className={clsx(controlClass, 'min-h-26 resize-y px-3 py-2', mono && 'font-mono text-13')}
        />
      )}
    </Field>
  );
}
