import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { controlClass } from './control-class.ts';

export type SelectOption = { value: string; label: string; disabled?: boolean };
type OptionGroup = { label: string; options: readonly SelectOption[] };

type SelectInputProps = Omit<ComponentProps<'select'>, 'size' | 'children'> & {
  options: readonly (SelectOption | OptionGroup)[];
  /** Shown while nothing is chosen. */
  placeholder?: string | undefined;
  size?: 'small' | 'medium';
  /** Being saved: it keeps the focus, which a disabled control would lose, and takes no change. */
  busy?: boolean;
};

/** The platform's own select in our look; without a visible label it needs `aria-label`. */
export function SelectInput(allProps: SelectInputProps) {
  const { options, placeholder, size = 'medium', busy = false, className, onChange, ...props } = allProps;
  return (
    <span className={clsx('relative block min-w-0', className)}>
      <select
        {...props}
        {...(busy && { 'aria-disabled': true })}
        onChange={(event) => (busy ? undefined : onChange?.(event))}
        className={clsx(
          controlClass,
          'appearance-none truncate pr-8 pl-3',
          size === 'small' ? 'h-(--control-small) text-13' : 'h-(--control)',
        )}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) =>
          'options' in option ? (
            <optgroup key={option.label} label={option.label}>
              {option.options.map((inner) => (
                <Option key={inner.value} {...inner} />
              ))}
            </optgroup>
          ) : (
            <Option key={option.value} {...option} />
          ),
        )}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-faint"
      />
    </span>
  );
}

function Option({ value, label, disabled }: SelectOption) {
  return (
    <option value={value} disabled={disabled}>
      {label}
    </option>
  );
}
