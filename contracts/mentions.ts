/** A person whom a text may name. */
type Person = { readonly id: number; readonly name: string };

/** `@Name` in a text, from `start` to `end`: of whom, several where they share the name. */
export type Mention = { start: number; end: number; ids: readonly number[] };

/** `@` in one text that are looked at. */
const mostMentions = 50;

const fold = (text: string) => text.normalize('NFC').toLowerCase();
const isWordCharacter = (text: string) => /[\p{L}\p{N}_]/u.test(text);

/** By folded name and by folded first name, with the lengths that there are, the longest first. */
function namesOf(people: readonly Person[]) {
  const byName = new Map<string, number[]>();
  const add = (name: string, id: number) => {
    const ids = byName.get(name);
    if (ids === undefined) byName.set(name, [id]);
    else if (!ids.includes(id)) ids.push(id);
  };
  for (const { id, name } of people) {
    const folded = fold(name.trim());
    if (folded === '') continue;
    add(folded, id);
    add(folded.split(/\s+/)[0] ?? folded, id);
  }
  return { byName, lengths: [...new Set([...byName.keys()].map(({ length }) => length))].toSorted((a, b) => b - a) };
}

/** Whom a text names by `@` and their name, or their first name; the longest name that fits. */
export function findMentions(text: string, people: readonly Person[]): Mention[] {
  const { byName, lengths } = namesOf(people);
  const found: Mention[] = [];
  let seen = 0;
  for (let at = text.indexOf('@'); at !== -1 && seen < mostMentions; at = text.indexOf('@', at + 1)) {
    seen += 1;
    // Part of an address: ada@example.com.
    if (at > 0 && isWordCharacter(text[at - 1] ?? '')) continue;
    const start = at;
    const mention = lengths.flatMap((length) => {
      const end = start + 1 + length;
      const ids = byName.get(fold(text.slice(start + 1, end)));
      return ids === undefined || isWordCharacter(text[end] ?? '') ? [] : [{ start, end, ids }];
    })[0];
    if (mention !== undefined) found.push(mention);
  }
  return found;
}
