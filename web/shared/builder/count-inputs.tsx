import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import type { ExpressionUnit } from '#contracts/expressions.ts';
import { controlClass } from '#web/shared/form/control-class.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';

type InputProps<Value> = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'className'> & {
  value: Value;
  onChange: (value: Value) => void;
};

/** Words of the sentence that fields stand in; their labels say the same to whoever does not see it. */
export function BetweenFields({ children }: { children: ReactNode }) {
  return (
    <span aria-hidden="true" className="flex h-(--control) items-center text-13 whitespace-nowrap text-muted">
      {children}
    </span>
  );
}

/** A number as it is typed. */
export function CountInput({ onChange, ...props }: InputProps<string>) {
  return (
    <input
      {...props}
      inputMode="numeric"
      onChange={(event) => onChange(event.target.value)}
      className={clsx(controlClass, 'h-(--control) px-3 tabular-nums')}
    />
  );
}

const units: readonly ExpressionUnit[] = ['minutes', 'hours', 'days', 'weeks', 'months'];

type UnitProps = Omit<ComponentProps<typeof SelectInput>, 'value' | 'options' | 'onChange'> & {
  value: ExpressionUnit;
  onChange: (unit: ExpressionUnit) => void;
};

export function UnitInput({ onChange, ...props }: UnitProps) {
  return (
    <SelectInput
      {...props}
      options={units.map((unit) => ({ value: unit, label: unit }))}
      onChange={(event) => onChange(event.target.value as ExpressionUnit)}
    />
  );
}
