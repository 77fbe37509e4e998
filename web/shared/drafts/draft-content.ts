import type { FieldValues } from 'react-hook-form';

export type DraftContent = Record<string, unknown>;

/** The value as JSON; NaN becomes null. */
const textOf = (value: unknown): string => JSON.stringify(value) ?? 'null';

/**
 * The typed fields: all that differ from how the form opened. The others may change on the server meanwhile, and are to be
 * as they are there when the draft is taken up again.
 */
export function typedContent(values: FieldValues, opened: FieldValues): DraftContent {
  const typed = Object.entries(values).filter(([name, value]) => textOf(value) !== textOf(opened[name]));
  return Object.fromEntries(typed);
}

/** The fields of a form that a draft is taken up in; what an earlier release kept in another shape is left out. */
export function restoredValues<T extends FieldValues>(opened: T, content: DraftContent): T {
  const fitting = Object.entries(content).filter(([name, value]) => fits(opened[name], value));
  return { ...opened, ...Object.fromEntries(fitting) };
}

function fits(model: unknown, value: unknown): boolean {
  if (model === undefined || model === null) return true;
  if (value === null) return typeof model === 'number';
  if (Array.isArray(model)) return Array.isArray(value) && value.every((each) => fits(model[0], each));
  if (typeof model !== 'object') return typeof value === typeof model;
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  return Object.entries(model).every(([name, inner]) => fits(inner, (value as DraftContent)[name] ?? inner));
}

type FieldDifference = { name: string; here: string; there: string };

/** The fields in which two texts differ, as people read them. */
export function differencesOf(here: DraftContent, there: DraftContent): FieldDifference[] {
  const names = [...new Set([...Object.keys(here), ...Object.keys(there)])];
  return names
    .filter((name) => textOf(here[name]) !== textOf(there[name]))
    .map((name) => ({ name: wordsOf(name), here: readable(here[name]), there: readable(there[name]) }));
}

/** `exclude_segment_ids` → `Exclude segment ids` */
function wordsOf(name: string): string {
  const words = name
    .replaceAll(/[_.]+/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function readable(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return JSON.stringify(value) ?? '';
  const parts = Object.values(value)
    .map(readable)
    .filter((part) => part !== '');
  return parts.join(', ');
}
