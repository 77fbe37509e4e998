/** The columns of a profile that a condition may name; see `profileFacts` for what stands beside them; everything else is under `custom_fields.`. */
export const profileColumns = [
  'phone',
  'country_code',
  'name',
  'email',
  'status',
  'tags',
  'phone_is_valid',
  'created_at',
  'updated_at',
] as const;
export type ProfileColumn = (typeof profileColumns)[number];

/** The fields of a profile that stand beside its columns. */
export const profileFacts = ['language', 'timezone', 'external_id'] as const;
export type ProfileFact = (typeof profileFacts)[number];

export type FieldPath =
  | { kind: 'column'; column: ProfileColumn }
  | { kind: 'fact'; fact: ProfileFact }
  /** Keys from the outermost object inwards, at least one. */
  | { kind: 'custom'; keys: readonly string[] };

const customPrefix = 'custom_fields.';

/**
 * Reads a profile column, a fact beside them, or `custom_fields.` and keys with dots between. A dot inside a key is written `\.` and a
 * backslash `\\`. Undefined for anything else.
 */
export function parseFieldPath(text: string): FieldPath | undefined {
  const column = profileColumns.find((name) => name === text);
  if (column) return { kind: 'column', column };
  const fact = profileFacts.find((name) => name === text);
  if (fact) return { kind: 'fact', fact };
  if (!text.startsWith(customPrefix)) return undefined;
  const keys = [''];
  const rest = text.slice(customPrefix.length);
  for (let index = 0; index < rest.length; index += 1) {
    const character = rest.charAt(index);
    if (character === '.') {
      keys.push('');
      continue;
    }
    const isEscape = character === '\\';
    const next = rest.charAt(index + 1);
    if (isEscape && next !== '.' && next !== '\\') return undefined;
    if (isEscape) index += 1;
    keys[keys.length - 1] += isEscape ? next : character;
  }
  return { kind: 'custom', keys };
}

/** The path of a custom field, as `parseFieldPath` reads it. */
export function customFieldPath(keys: readonly string[]): string {
  return customPrefix + keys.map((key) => key.replaceAll(/[\\.]/g, String.raw`\$&`)).join('.');
}

const propertyPrefix = 'properties.';

/** The path of a property of an event as one of a custom field; undefined where it is none. */
export function propertyAsField(path: string): string | undefined {
  if (!path.startsWith(propertyPrefix)) return undefined;
  const field = customPrefix + path.slice(propertyPrefix.length);
  return parseFieldPath(field) && field;
}

/** The keys that lead to a property of an event, from the outermost object inwards. */
export function propertyKeys(path: string): readonly string[] | undefined {
  const field = propertyAsField(path);
  const parsed = field === undefined ? undefined : parseFieldPath(field);
  return parsed?.kind === 'custom' ? parsed.keys : undefined;
}

/** The message of a 422 for a path that no profile of the account has. */
export function unknownFieldMessage(path: string): string {
  return `No profile has a field ${path}`;
}
