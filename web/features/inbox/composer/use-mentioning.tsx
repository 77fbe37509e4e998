import { useQuery } from '@tanstack/react-query';
import { useState, type KeyboardEvent, type RefObject } from 'react';
import type { Profile } from '#contracts/profiles.ts';
import { callApi } from '#web/shared/api.ts';
import { hasPart } from '#web/shared/fold-text.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { useCan } from '#web/shared/session.ts';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';
import { useDebounced } from '#web/shared/use-debounced.ts';
import { mentionBefore } from './mention-before.ts';
import { Suggestions, useSuggestions } from './suggestions.tsx';

const pauseMs = 200;
const mostSuggested = 6;
const none: readonly Profile[] = [];

/** Somebody whom a text mentions by name. `phone`: digits. */
export type Mentioned = { readonly name: string; readonly phone: string };

type Options = {
  text: string;
  control: RefObject<HTMLTextAreaElement | null>;
  /** Whether the number that sends can mention people. */
  isOn: boolean;
  onWrite: (text: string) => void;
};

/** `@` and a name in a message to a contact: suggests the account's contacts, and names them by number when it is sent. */
export function useMentioning({ text, control, isOn, onWrite }: Options) {
  const [caret, setCaret] = useState(0);
  const [dismissedAt, setDismissedAt] = useState<number>();
  const [chosen, setChosen] = useState<readonly Mentioned[]>([]);
  const mayRead = useCan()('contacts:read');
  const typed = isOn && mayRead ? mentionBefore(text, caret) : undefined;
  const search = useDebounced(typed?.search.trim() ?? '', pauseMs);
  // A name that was chosen leaves Enter to the message, whatever follows it.
  const isWhole = chosen.some(({ name }) => `${typed?.search} `.startsWith(`${name} `));
  const isOpen = typed !== undefined && typed.search.trim() !== '' && typed.start !== dismissedAt && !isWhole;
  const { data = none, isPlaceholderData } = useQuery({
    queryKey: [...queryKeys.profiles, 'mentions', search],
    queryFn: ({ signal }) =>
      callApi('GET /api/profiles', { query: { search, page: 1, pageSize: mostSuggested } }, { signal }),
    enabled: isOpen && search !== '',
    select: ({ data: found }) => found.filter(({ name, phone_is_valid: isValid }) => isValid && name !== null),
  });
  const isStale = isPlaceholderData || search !== typed?.search.trim();
  const matching = isStale ? data.filter(({ name }) => hasPart(name ?? '', typed?.search ?? '')) : data;
  const items = isOpen && matching.length > 0 ? matching : undefined;
  const list = useSuggestions({ items, onChoose: choose, onDismiss: () => setDismissedAt(typed?.start) });

  function choose({ name, phone }: Profile): void {
    const area = control.current;
    if (area === null || typed === undefined || name === null) return;
    setChosen((known) => [...known.filter((each) => each.name !== name), { name, phone }]);
    area.setRangeText(`@${name} `, typed.start, caret, 'end');
    setCaret(area.selectionStart);
    onWrite(area.value);
    area.focus();
  }

  return {
    control: list.control,
    isOpen: items !== undefined,
    onCaret: setCaret,
    handleKey: (event: KeyboardEvent): boolean => items !== undefined && list.handleKey(event),
    suggestions: items !== undefined && (
      <Suggestions
        list={list}
        label="People to mention"
        items={items}
        onChoose={choose}
        keyOf={({ id }) => id}
        render={({ name, phone }) => (
          <>
            <bdi className="min-w-0 flex-1 truncate">{name}</bdi>
            <span className="shrink-0 text-12 text-muted">
              <PhoneText digits={phone} />
            </span>
          </>
        )}
        empty=""
      />
    ),
    /** The text as it is sent, and those whom it mentions. */
    written: () => mentionNumbers(text, chosen),
    forget: () => setChosen([]),
  };
}

/** Numbers in place of the names that were chosen, the longest first. */
export function mentionNumbers(
  text: string,
  people: readonly Mentioned[],
): { text: string; mentions: readonly Mentioned[] } {
  const mentions: Mentioned[] = [];
  let written = text;
  for (const person of people.toSorted((a, b) => b.name.length - a.name.length)) {
    // A longer word that begins with the name is none.
    const next = written
      .split(`@${person.name}`)
      .reduce((before, after) => `${before}@${/^[\p{L}\p{N}_]/u.test(after) ? person.name : person.phone}${after}`);
    if (next !== written) mentions.push(person);
    written = next;
  }
  return { text: written, mentions };
}
