import { clsx } from 'clsx';
import { useId, type ComponentProps } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { FieldError } from './field.tsx';
import { useFieldError, type FormOf } from './use-zod-form.ts';

type CheckInputProps = Omit<ComponentProps<'input'>, 'type'> & {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
};

const boxClass = clsx(
  'grid size-4 shrink-0 appearance-none place-items-center rounded-[4px] border border-control bg-surface',
  'checked:border-transparent checked:bg-accent disabled:cursor-not-allowed disabled:bg-sunken',
  "checked:after:mb-0.5 checked:after:h-1 checked:after:w-2 checked:after:-rotate-45 checked:after:border-b-[1.75px] checked:after:border-l-[1.75px] checked:after:border-on-accent checked:after:content-['']",
);

export function CheckInput(props: CheckInputProps) {
  return <LabelledInput {...props} inputClass={boxClass} />;
}

/** Without its label in sight: in a table. */
export function BareCheckInput({ label, ...props }: Omit<CheckInputProps, 'hint'>) {
  return (
    <input
      {...props}
      type="checkbox"
      aria-label={label}
      className={clsx(boxClass, 'block aria-disabled:cursor-not-allowed aria-disabled:opacity-60')}
    />
  );
}

type FieldCheckProps<T extends FieldValues> = Omit<CheckInputProps, 'name' | 'form'> & {
  form: FormOf<T>;
  name: FieldPath<T>;
};

/** With a `value` it is one of several, which say together why they were refused. */
export function Checkbox<T extends FieldValues>({ form, name, ...props }: FieldCheckProps<T>) {
  const error = useFieldError(form, name);
  return <CheckInput {...props} error={props.value === undefined ? error : undefined} {...form.register(name)} />;
}

function LabelledInput(input: CheckInputProps & { inputClass: string }) {
  const { label, hint, error, inputClass, className, ...props } = input;
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const errorId = error === undefined ? undefined : `${id}-error`;
  return (
    <div className={className}>
      <div className="flex items-center gap-2.5">
        <input
          {...props}
          id={id}
          type="checkbox"
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={[errorId, hintId].filter(Boolean).join(' ') || undefined}
          className={inputClass}
        />
        <label htmlFor={id}>{label}</label>
      </div>
      <FieldError id={errorId} error={error} />
      {hint !== undefined && (
        <p id={hintId} className="mt-1 text-13 text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
