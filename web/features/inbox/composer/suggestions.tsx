import type { KeyboardEvent, ReactNode } from 'react';
import { useId, useState } from 'react';
import { ListboxOption } from '#web/shared/ui/listbox-option.tsx';
import { handleListboxKey, steppedIndex } from '#web/shared/ui/listbox-keys.ts';

type SuggestionsOptions<Item> = {
  /** Undefined: nothing is suggested. */
  items: readonly Item[] | undefined;
  onChoose: (item: Item) => void;
  onDismiss: () => void;
};

/** Choices that a text area suggests above itself while one types: arrows choose, Enter and Tab take, Escape dismisses. */
export function useSuggestions<Item>({ items, onChoose, onDismiss }: SuggestionsOptions<Item>) {
  const listId = useId();
  const [index, setIndex] = useState(0);
  const isOpen = items !== undefined;
  const activeIndex = Math.min(index, Math.max(0, (items?.length ?? 0) - 1));
  const active = items?.[activeIndex];

  /** Answers whether the key was one of the list. */
  function handleKey(event: KeyboardEvent): boolean {
    if (!isOpen || event.nativeEvent.isComposing) return false;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      onDismiss();
      return true;
    }
    if (event.key === 'Tab' && active !== undefined && !event.shiftKey) {
      event.preventDefault();
      onChoose(active);
      return true;
    }
    if (event.shiftKey) return false;
    handleListboxKey(event, {
      move: (step) => setIndex(steppedIndex(activeIndex, step, items.length)),
      choose: active === undefined ? undefined : () => onChoose(active),
    });
    return event.defaultPrevented;
  }

  const control = {
    'aria-autocomplete': 'list' as const,
    'aria-controls': isOpen ? listId : undefined,
    'aria-activedescendant': active === undefined ? undefined : `${listId}-${activeIndex}`,
  };
  return { listId, activeIndex, setIndex, handleKey, control };
}

type SuggestionsProps<Item> = {
  list: ReturnType<typeof useSuggestions<Item>>;
  /** 'Saved replies' */
  label: string;
  items: readonly Item[];
  onChoose: (item: Item) => void;
  keyOf: (item: Item) => number;
  render: (item: Item) => ReactNode;
  /** Where there are none. */
  empty: string;
  head?: ReactNode;
};

export function Suggestions<Item>({
  list,
  label,
  items,
  onChoose,
  keyOf,
  render,
  empty,
  head,
}: SuggestionsProps<Item>) {
  return (
    <div className="absolute inset-x-0 bottom-full z-30 mb-1 rounded-base border bg-raised p-1 shadow-popover">
      {head}
      <div role="listbox" id={list.listId} aria-label={label} className="max-h-60 overflow-y-auto">
        {items.map((item, index) => (
          <ListboxOption
            key={keyOf(item)}
            id={`${list.listId}-${index}`}
            isActive={index === list.activeIndex}
            onPoint={() => list.setIndex(index)}
            onChoose={() => onChoose(item)}
            className="min-w-0 items-baseline gap-3 px-2 py-1.5 text-13"
          >
            {render(item)}
          </ListboxOption>
        ))}
      </div>
      {items.length === 0 && (
        <p role="status" className="px-2 py-1.5 text-13 text-muted">
          {empty}
        </p>
      )}
      <p aria-hidden="true" className="border-t px-2 pt-1.5 pb-0.5 text-12 text-muted max-sm:hidden">
        <kbd>↑</kbd> <kbd>↓</kbd> choose, <kbd>Enter</kbd> inserts, <kbd>Esc</kbd> closes
      </p>
    </div>
  );
}
