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

export type FieldDifference = { path: string; here: unknown; there: unknown };

/** The fields in which two texts differ, down to the parts of those that have some; both over how the form opened. */
export function differencesOf(opened: DraftContent, here: DraftContent, there: DraftContent): FieldDifference[] {
  return partsThatDiffer('', { ...opened, ...here }, { ...opened, ...there });
}

function partsThatDiffer(path: string, here: unknown, there: unknown): FieldDifference[] {
  if (textOf(here) === textOf(there)) return [];
  if (isWhole(path) || !isRecord(here) || !isRecord(there)) return [{ path, here, there }];
  const names = [...new Set([...Object.keys(here), ...Object.keys(there)])];
  return names.flatMap((name) => partsThatDiffer(path === '' ? name : `${path}.${name}`, here[name], there[name]));
}

const isRecord = (value: unknown): value is DraftContent =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The parts of these say nothing by themselves. */
const isWhole = (path: string) => /(?:^|\.)(?:expression|media|header_media|headerFile)$/.test(path);

/** `Segment` for `segment_id`, `Project` for `action.projectId`, `Duration unit` for `duration.unit` */
export function fieldWords(path: string): string {
  if (path === 'exclude_segment_ids') return 'Leave out';
  const words = path
    .replace(/^action\./, '')
    .replaceAll(/[_.]+/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/ id$/, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Empty where there is nothing. */
export function readableValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return JSON.stringify(value) ?? '';
  if (isRecord(value)) {
    const name = value['file_name'] ?? value['name'];
    if (typeof name === 'string') return name;
  }
  const parts = Object.values(value)
    .map(readableValue)
    .filter((part) => part !== '');
  return parts.join(', ');
}
