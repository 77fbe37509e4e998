import { Plus, X } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState, type ReactNode } from 'react';
import { SearchList, type ListedOption } from '../form/search-list.tsx';
import { hasPart } from '#web/shared/fold-text.ts';

type FilterChipProps = {
  /** 'Status' */
  label: string;
  /** The filter's value in words; undefined: not set. */
  value: string | undefined;
  onClear: () => void;
  /** Between the two: 'is' unless said. */
  verb?: string;
} & (
  | {
      /** The choices of the filter. */
      children: (close: () => void) => ReactNode;
      onOpen?: undefined;
    }
  // Chosen elsewhere, such as in a dialog.
  | { children?: undefined; onOpen: () => void }
);

const partClass = 'h-(--control-small) text-13 outline-offset-[-2px] hover:bg-hover';

/** A filter of a list: adds it, shows it, removes it. */
export function FilterChip({ label, value, onClear, verb = 'is', children, onOpen }: FilterChipProps) {
  const [isOpen, setOpen] = useState(false);
  const isSet = value !== undefined;
  const button = (
    <button
      type="button"
      {...(onOpen && { onClick: onOpen, 'aria-haspopup': 'dialog' })}
      className={`flex min-w-0 items-center gap-1.5 text-muted hover:text-ink ${partClass} ${isSet ? 'pr-1.5 pl-2.5' : 'px-2.5'}`}
    >
      {isSet ? (
        <>
          <span className="shrink-0">
            {label} {verb}
          </span>{' '}
          <b dir="auto" className="truncate font-medium text-ink">
            {value}
          </b>
        </>
      ) : (
        <>
          <Plus aria-hidden="true" className="size-3.5" />
          {label}
        </>
      )}
    </button>
  );
  return (
    <span
      className={`flex max-w-full min-w-0 items-center overflow-hidden rounded-base border ${isSet ? 'border-control' : 'border-dashed border-control'}`}
    >
      {children === undefined ? (
        button
      ) : (
        <Popover.Root open={isOpen} onOpenChange={setOpen}>
          <Popover.Trigger asChild>{button}</Popover.Trigger>
          <Popover.Portal>
            <Popover.Content
              align="start"
              sideOffset={4}
              collisionPadding={8}
              aria-label={label}
              className="z-60 w-64 max-w-[calc(100vw-1rem)] animate-fade-in rounded-base bg-raised p-1.5 shadow-popover"
            >
              {children(() => setOpen(false))}
            </Popover.Content>
          </Popover.Portal>
        </Popover.Root>
      )}
      {isSet && (
        <button
          type="button"
          aria-label={`Remove filter ${label} ${verb} ${value}`}
          onClick={onClear}
          className={`grid w-7 shrink-0 place-items-center border-l text-muted hover:text-ink ${partClass}`}
        >
          <X aria-hidden="true" className="size-3.5" />
        </button>
      )}
    </span>
  );
}

type ChoiceFilterProps = {
  label: string;
  /** Between the label and the value, as `FilterChip` has it. */
  verb?: string;
  options: readonly ListedOption[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
};

/** A filter by one of a few values. */
export function ChoiceFilter({ label, verb, options, value, onChange }: ChoiceFilterProps) {
  const [text, setText] = useState('');
  const chosen = options.find((option) => option.value === value);
  return (
    <FilterChip
      label={label}
      {...(verb !== undefined && { verb })}
      value={chosen?.label}
      onClear={() => onChange(undefined)}
    >
      {(close) => (
        <SearchList
          label={label}
          search={text}
          onSearch={setText}
          options={options.filter((option) => hasPart(option.label, text))}
          chosen={value === undefined ? [] : [value]}
          onChoose={(option) => {
            onChange(option.value === value ? undefined : option.value);
            setText('');
            close();
          }}
        />
      )}
    </FilterChip>
  );
}
