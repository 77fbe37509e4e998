import { clsx } from 'clsx';
import { useId, type ComponentProps } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import type { Permission } from '#contracts/permissions.ts';
import { useCan } from '../session.ts';
import { deniedText } from '../ui/button.tsx';
import { FieldError } from './field.tsx';
import { useFieldError, type FormOf } from './use-zod-form.ts';

const switchClass = clsx(
  'h-4.5 w-8 shrink-0 cursor-pointer appearance-none rounded-full border border-transparent bg-muted p-0.5 transition-colors checked:bg-accent',
  "after:block after:size-3.25 after:rounded-full after:bg-white after:shadow-control after:transition-[translate] after:content-[''] checked:after:translate-x-3.5",
);

type SwitchInputProps = Omit<ComponentProps<'input'>, 'type' | 'role'> & {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  /** Off for those whose role lacks it, with the reason. */
  needs?: Permission | undefined;
  /** Being saved: it keeps the focus, which a disabled control would lose, and takes no change. */
  busy?: boolean;
};

export function SwitchInput({ label, hint, error, needs, busy = false, onChange, ...props }: SwitchInputProps) {
  const can = useCan();
  const isDenied = needs !== undefined && !can(needs);
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const errorId = error === undefined ? undefined : `${id}-error`;
  const described = {
    'aria-invalid': error === undefined ? undefined : true,
    'aria-describedby': [errorId, hintId].filter(Boolean).join(' ') || undefined,
    ...(busy && { 'aria-disabled': true }),
    ...(isDenied && { disabled: true, title: deniedText }),
  };
  const handleChange: typeof onChange = (event) => (busy ? undefined : onChange?.(event));
  return (
    <div>
      <div className="flex items-center gap-2.5">
        <input
          {...props}
          {...described}
          id={id}
          type="checkbox"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox tells its state by itself
          role="switch"
          className={switchClass}
          onChange={handleChange}
        />
        <label htmlFor={id}>
          <bdi>{label}</bdi>
        </label>
      </div>
      <FieldError id={errorId} error={error} />
      {hint !== undefined && (
        <p id={hintId} className="mt-1 text-13 text-pretty text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

type SwitchProps<T extends FieldValues> = {
  form: FormOf<T>;
  name: FieldPath<T>;
  label: string;
  hint?: string | undefined;
};

export function Switch<T extends FieldValues>({ form, name, ...props }: SwitchProps<T>) {
  return <SwitchInput {...props} error={useFieldError(form, name)} {...form.register(name)} />;
}
