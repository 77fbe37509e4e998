import { isObject } from './value-at.ts';

/** An object has columns of its own for what is in it. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null || isObject(value)) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
