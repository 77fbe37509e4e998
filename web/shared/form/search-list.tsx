import { clsx } from 'clsx';
import { Check, Search } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { handleListboxKey, steppedIndex } from '../ui/listbox-keys.ts';
import { ListboxOption } from '../ui/listbox-option.tsx';
import { hasPart } from '../fold-text.ts';
import { controlClass } from './control-class.ts';

export type ListedOption = {
  value: string;
  label: string;
  /** Before the label. */
  start?: ReactNode;
  aside?: ReactNode;
  disabled?: boolean;
};

type SearchListProps = {
  /** Names the field and the list: 'Segments'. */
  label: string;
  search: string;
  onSearch: (text: string) => void;
  options: readonly ListedOption[];
  /** Chosen options have a tick. */
  chosen: readonly string[];
  onChoose: (option: ListedOption) => void;
  isLoading?: boolean;
  /** The options are of the search before: until those of this one come, the ones that match it by name are shown. */
  isStale?: boolean;
  /** Why there are no options: 'Failed to fetch segments'. */
  problem?: string | undefined;
  empty?: string;
  /** Beneath the options. */
  footer?: ReactNode;
};

/** A search with what it finds beneath: arrows choose, Enter takes, the focus stays in the field. */
export function SearchList(props: SearchListProps) {
  const { label, search, onSearch, chosen, onChoose, isStale = false, problem, empty, footer } = props;
  const isLoading = props.isLoading === true || isStale;
  // Else Enter, pressed at once, would take something that nobody looked for.
  const options = isStale ? props.options.filter((option) => hasPart(option.label, search)) : props.options;
  const listId = useId();
  const [activeIndex, setActiveIndex] = useState(0);
  const choosable = options.filter(({ disabled }) => disabled !== true);
  const active = choosable[Math.min(activeIndex, choosable.length - 1)];
  return (
    <div className="grid min-w-0 gap-1">
      <span className="relative block">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-2.5 size-3.5 -translate-y-1/2 text-faint"
        />
        <input
          type="search"
          role="combobox"
          autoComplete="off"
          aria-label={`Search ${label.toLowerCase()}`}
          placeholder={`Search ${label.toLowerCase()}`}
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active && `${listId}-${active.value}`}
          value={search}
          onChange={({ target }) => {
            onSearch(target.value);
            setActiveIndex(0);
          }}
          onKeyDown={(event) => {
            handleListboxKey(event, {
              move: (step) => setActiveIndex(steppedIndex(activeIndex, step, choosable.length)),
              choose: active && (() => onChoose(active)),
            });
            // Where nothing is found it would submit the form that the list stands in.
            if (event.key === 'Enter') event.preventDefault();
          }}
          className={clsx(controlClass, 'h-(--control-small) pr-2 pl-8 text-13')}
        />
      </span>
      <div role="listbox" id={listId} aria-label={label} aria-busy={isLoading} className="max-h-64 overflow-y-auto">
        {options.map((option) => (
          <ListboxOption
            key={option.value}
            id={`${listId}-${option.value}`}
            isActive={option === active}
            isChosen={chosen.includes(option.value)}
            isOff={option.disabled === true}
            onPoint={() => setActiveIndex(Math.max(0, choosable.indexOf(option)))}
            onChoose={() => option.disabled !== true && onChoose(option)}
            className={clsx(
              'min-h-(--control-small) items-center gap-2 px-2 py-1 text-13',
              option.disabled === true && 'cursor-not-allowed text-faint',
            )}
          >
            <Check
              aria-hidden="true"
              className={clsx('size-3.5 shrink-0 text-accent-ink', !chosen.includes(option.value) && 'invisible')}
            />
            {option.start}
            <span dir="auto" className="min-w-0 flex-1 truncate text-left">
              {option.label}
            </span>
            {option.aside !== undefined && (
              <bdi className="max-w-[45%] shrink-0 truncate text-12 text-muted tabular-nums">{option.aside}</bdi>
            )}
          </ListboxOption>
        ))}
      </div>
      {options.length === 0 && (
        <p role="status" className={clsx('px-2 py-1.5 text-13', problem === undefined ? 'text-muted' : 'text-red-ink')}>
          {problem ?? (isLoading ? 'Searching...' : (empty ?? 'Nothing matches'))}
        </p>
      )}
      {footer}
    </div>
  );
}
