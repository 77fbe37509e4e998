import { clsx } from 'clsx';

type FilterBarProps<Value extends string> = {
  label: string;
  options: readonly { value: Value; label: string; count: number | undefined }[];
  value: Value;
  onChange: (value: Value) => void;
};

/** Which part of a table is shown; each button says how much there is, where that is known. */
export function FilterBar<Value extends string>({ label, options, value, onChange }: FilterBarProps<Value>) {
  return (
    <div role="group" aria-label={label} className="flex max-w-full flex-wrap gap-1">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={clsx(
            'flex h-(--control-small) items-center gap-1.5 rounded-base px-2.5 text-13 font-medium',
            option.value === value ? 'bg-pressed text-ink' : 'text-muted hover:bg-hover hover:text-ink',
          )}
        >
          {option.label}
          {option.count !== undefined && (
            <span className="text-12 font-regular text-muted tabular-nums">{option.count.toLocaleString('en')}</span>
          )}
        </button>
      ))}
    </div>
  );
}
