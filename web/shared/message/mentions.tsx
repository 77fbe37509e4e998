import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';

/** The names of those that messages mention, as `context.mentions` has them. */
export const MentionNames = createContext<ReadonlyMap<string, string>>(new Map());

/** The names that pages of messages brought, and how further ones become known. */
export function useMentionNames() {
  const [mentionNames, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const nameMentions = useCallback(
    (people: readonly { person: string; name: string }[]) =>
      people.length > 0 &&
      setNames((known) => new Map([...known, ...people.map(({ person, name }) => [person, name] as const)])),
    [],
  );
  return { mentionNames, nameMentions };
}

const digitsOf = (person: string) => person.replace(/^lid:/, '');

/** The people whom a text mentions by their digits, and how these are found; undefined for nobody. */
function peopleOf(mentions: readonly string[]) {
  const people = new Map(
    mentions.map((person) => [digitsOf(person), person] as const).filter(([digits]) => /^\d+$/.test(digits)),
  );
  if (people.size === 0) return undefined;
  // The capturing group leaves what was mentioned at each second place.
  return { people, pattern: new RegExp(`@(${[...people.keys()].join('|')})(?!\\d)`) };
}

/** A text on one line with mentions by their names, else as numbers. */
export function useMentionText(text: string, mentions: readonly string[]): string {
  const names = useContext(MentionNames);
  const format = usePhoneFormat();
  const found = peopleOf(mentions);
  if (found === undefined) return text;
  const nameOf = (piece: string) => {
    const person = found.people.get(piece) ?? piece;
    return names.get(person) ?? (person.startsWith('lid:') ? piece : format(piece));
  };
  return text
    .split(found.pattern)
    .map((piece, index) => (index % 2 === 1 ? `@${nameOf(piece)}` : piece))
    .join('');
}

/** Shows mentions in a text, `@` and digits, by their names, else as numbers. */
export function useMentionsIn(mentions: readonly string[]): ((text: string) => ReactNode) | undefined {
  const names = useContext(MentionNames);
  const found = peopleOf(mentions);
  if (found === undefined) return undefined;
  return (text) =>
    text.split(found.pattern).map((piece, index) => {
      const person = index % 2 === 1 ? found.people.get(piece) : undefined;
      if (person === undefined) return piece;
      const name = names.get(person);
      return (
        <span key={index} className="font-medium text-accent-ink">
          @{name === undefined ? person.startsWith('lid:') ? piece : <PhoneText digits={piece} /> : <bdi>{name}</bdi>}
        </span>
      );
    });
}
