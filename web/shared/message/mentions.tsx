import { createContext, useContext, type ReactNode } from 'react';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';

/** The names of those that messages mention, as `context.mentions` has them. */
export const MentionNames = createContext<ReadonlyMap<string, string>>(new Map());

const digitsOf = (person: string) => person.replace(/^lid:/, '');

/** Shows mentions in a text, `@` and digits, by their names, else as numbers. */
export function useMentionsIn(mentions: readonly string[]): ((text: string) => ReactNode) | undefined {
  const names = useContext(MentionNames);
  if (mentions.length === 0) return undefined;
  const people = new Map(
    mentions.map((person) => [digitsOf(person), person] as const).filter(([digits]) => /^\d+$/.test(digits)),
  );
  if (people.size === 0) return undefined;
  // The capturing group leaves what was mentioned at each second place.
  const pattern = new RegExp(`@(${[...people.keys()].join('|')})(?!\\d)`);
  return (text) =>
    text.split(pattern).map((piece, index) => {
      const person = index % 2 === 1 ? people.get(piece) : undefined;
      if (person === undefined) return piece;
      const name = names.get(person);
      return (
        <span key={index} className="font-medium text-accent-ink">
          @{name === undefined ? person.startsWith('lid:') ? piece : <PhoneText digits={piece} /> : <bdi>{name}</bdi>}
        </span>
      );
    });
}
