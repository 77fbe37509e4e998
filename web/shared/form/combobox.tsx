import { clsx } from 'clsx';
import { Popover } from 'radix-ui';
import { useId, useState, type ComponentProps, type KeyboardEvent, type ReactNode } from 'react';
import { handleListboxKey, steppedIndex } from '../ui/listbox-keys.ts';
import { ListboxOption } from '../ui/listbox-option.tsx';
import { controlClass } from './control-class.ts';

export type Suggestion = {
  value: string;
  /** At the right: what is worth knowing before one chooses. */
  aside?: ReactNode;
};

type ComboboxProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'list' | 'role'> & {
  value: string;
  /** Told at every key and with what is chosen. */
  onChange: (value: string) => void;
  suggestions: readonly Suggestion[];
  /** Names the list of suggestions. */
  suggestionsLabel: string;
  /** The part of the suggestions to stress. */
  match?: string;
};

/**
 * A text field that suggests and accepts anything else too. Arrows choose, Enter takes, Escape closes; the focus stays
 * in the field throughout (the combobox pattern of the ARIA Authoring Practices).
 */
export function Combobox(props: ComboboxProps) {
  const {
    value,
    onChange,
    suggestions,
    suggestionsLabel,
    match = '',
    className,
    onFocus,
    onBlur,
    ...inputProps
  } = props;
  const listId = useId();
  const [isWanted, setWanted] = useState(false);
  const [activeIndex, setActiveIndex] = useState(-1);
  // Text that is typed already is no suggestion.
  const isOpen = isWanted && suggestions.some((suggestion) => suggestion.value !== value);
  const active = isOpen ? suggestions[activeIndex] : undefined;

  function close(): void {
    setWanted(false);
    setActiveIndex(-1);
  }

  function choose(suggestion: Suggestion): void {
    onChange(suggestion.value);
    close();
  }

  function move(step: 1 | -1): void {
    setWanted(true);
    setActiveIndex(steppedIndex(activeIndex, step, suggestions.length));
  }

  function handleKeyDown(event: KeyboardEvent): void {
    handleListboxKey(event, { move, choose: active && (() => choose(active)) });
  }

  return (
    <Popover.Root open={isOpen}>
      <Popover.Anchor asChild>
        <input
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          {...inputProps}
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-autocomplete="list"
          aria-activedescendant={active === undefined ? undefined : optionId(listId, activeIndex)}
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
            setWanted(true);
            setActiveIndex(-1);
          }}
          onClick={() => setWanted(true)}
          onFocus={onFocus}
          onBlur={(event) => {
            close();
            onBlur?.(event);
          }}
          onKeyDown={handleKeyDown}
          className={clsx(controlClass, 'h-(--control) px-3', className)}
        />
      </Popover.Anchor>
      {/* Beside the field, not in a portal: what belongs to a dialog stays in it. */}
      <Popover.Content
        role="listbox"
        id={listId}
        aria-label={suggestionsLabel}
        align="start"
        sideOffset={4}
        collisionPadding={8}
        onOpenAutoFocus={(event) => event.preventDefault()}
        onCloseAutoFocus={(event) => event.preventDefault()}
        onEscapeKeyDown={close}
        onInteractOutside={(event) => event.preventDefault()}
        className="z-60 max-h-(--radix-popover-content-available-height) w-[max(var(--radix-popover-trigger-width),27rem)] max-w-[calc(100vw-1rem)] animate-fade-in overflow-y-auto rounded-base bg-raised p-1 shadow-popover"
      >
        <div className="max-h-72">
          {suggestions.map((suggestion, index) => (
            <Option
              key={suggestion.value}
              id={optionId(listId, index)}
              suggestion={suggestion}
              match={match}
              isActive={index === activeIndex}
              onChoose={() => choose(suggestion)}
            />
          ))}
        </div>
      </Popover.Content>
    </Popover.Root>
  );
}

const optionId = (listId: string, index: number) => `${listId}-${index}`;

type OptionProps = { id: string; suggestion: Suggestion; match: string; isActive: boolean; onChoose: () => void };

function Option({ id, suggestion, match, isActive, onChoose }: OptionProps) {
  return (
    <ListboxOption
      id={id}
      isActive={isActive}
      onChoose={onChoose}
      className="min-h-(--control-small) items-baseline justify-between gap-4 px-2 py-1.5 hover:bg-hover"
    >
      <code className="min-w-0 text-13 wrap-anywhere">
        <Stressed text={suggestion.value} match={match} />
      </code>
      {suggestion.aside !== undefined && (
        <bdi className="max-w-[45%] shrink-0 truncate text-12 text-muted">{suggestion.aside}</bdi>
      )}
    </ListboxOption>
  );
}

function Stressed({ text, match }: { text: string; match: string }) {
  const start = match === '' ? -1 : text.toLowerCase().indexOf(match.toLowerCase());
  if (start === -1) return text;
  const end = start + match.length;
  return (
    <>
      {text.slice(0, start)}
      <mark className="bg-transparent font-semibold text-accent-ink">{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  );
}
