import { clsx } from 'clsx';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { TextField } from '#web/shared/form/text-field.tsx';
import type { FormOf } from '#web/shared/form/use-zod-form.ts';

type UnitFieldProps<T extends FieldValues> = {
  form: FormOf<T>;
  name: FieldPath<T>;
  /** Its label, and what stands in it behind the number. */
  unit: 'Hours' | 'Days';
  /** Takes parts of one. */
  fractional?: boolean;
  className?: string;
};

/** A number of hours or days. */
export function UnitField<T extends FieldValues>(props: UnitFieldProps<T>) {
  const { form, name, unit, fractional = false, className } = props;
  return (
    <div className={clsx('relative min-w-0', className)}>
      <TextField
        form={form}
        name={name}
        label={unit}
        quietLabel
        type="number"
        inputMode={fractional ? 'decimal' : 'numeric'}
        min={fractional ? 0 : 1}
        step={fractional ? 'any' : 1}
        autoComplete="off"
        className="tabular-nums [&_input]:pr-13"
      />
      <span
        aria-hidden="true"
        className="pointer-events-none absolute top-0 right-3 flex h-(--control) items-center text-13 text-muted"
      >
        {unit}
      </span>
    </div>
  );
}
