import { profileColumns } from '#contracts/field-path.ts';
import type { ProfileField } from '#contracts/profiles.ts';

const customPrefix = 'custom_fields.';
const maxPathLength = 600;
const columns: readonly string[] = profileColumns;

/** `short`: `{shop}` wherever that names the custom field; `full`: `{custom_fields.shop}`. */
export type PlaceholderSpelling = 'short' | 'full';

/** How a message names a field; undefined where the name does not fit between braces. */
export function placeholderOf(path: string, spelling: PlaceholderSpelling): string | undefined {
  const name = spelling === 'short' ? shortName(path) : path;
  const fits = !/[{}\n]/.test(name) && name === name.trim() && name.length <= maxPathLength;
  return fits ? `{${name}}` : undefined;
}

/** A column goes first, so that a custom field called like one keeps its whole path. */
function shortName(path: string): string {
  const name = path.startsWith(customPrefix) ? path.slice(customPrefix.length) : path;
  const isAmbiguous = name !== path && (columns.includes(name) || name.startsWith(customPrefix));
  return isAmbiguous ? path : name;
}

/** The field paths that a placeholder may stand for. */
export function pathsOf(name: string): readonly string[] {
  const custom = name.startsWith(customPrefix) ? name : customPrefix + name;
  return columns.includes(name) ? [name, custom] : [custom];
}

/** Whether the field has a reading as text in some profile; an object has none. */
export function isReadable({ types }: ProfileField): boolean {
  return types.some((type) => type !== 'object');
}

/** `{shop}`; `{shop} and {plan}`; `{a}, {b} and {c}`. */
export function placeholderList(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(names.map((name) => `{${name}}`));
}
