import { clsx } from 'clsx';
import { Eye, EyeOff } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { IconButton } from '../ui/icon-button.tsx';
import { controlClass } from './control-class.ts';
import { Field, type FieldTexts } from './field.tsx';
import { useFieldError, type FormOf } from './use-zod-form.ts';

type PasswordFieldProps<T extends FieldValues> = FieldTexts &
  Omit<ComponentProps<'input'>, 'name' | 'form' | 'type'> & {
    form: FormOf<T>;
    name: FieldPath<T>;
    /** For password managers. */
    autoComplete: 'current-password' | 'new-password';
  };

export function PasswordField<T extends FieldValues>(props: PasswordFieldProps<T>) {
  const { form, name, label, quietLabel, hint, aside, className, ...inputProps } = props;
  const error = useFieldError(form, name);
  const [isShown, setShown] = useState(false);
  return (
    <Field label={label} quietLabel={quietLabel} hint={hint} aside={aside} error={error} className={className}>
      {(control) => (
        <div className="relative">
          <input
            {...inputProps}
            {...control}
            {...form.register(name)}
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            className={clsx(controlClass, 'h-(--control) pr-10 pl-3')}
          />
          <IconButton
            label={isShown ? 'Hide what is typed' : 'Show what is typed'}
            aria-controls={control.id}
            icon={isShown ? <EyeOff className="size-4" /> : <Eye className="size-4" />}
            onClick={() => setShown(!isShown)}
            size="small"
            className="absolute top-1/2 right-1.5 -translate-y-1/2"
          />
        </div>
      )}
    </Field>
  );
}
