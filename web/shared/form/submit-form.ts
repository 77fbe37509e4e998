import { get, type FieldPath, type FieldValues } from 'react-hook-form';
import { ApiError, errorText } from '../api-error.ts';
import type { FormOf } from './use-zod-form.ts';

/** Puts the server's field errors on their fields, the first one focused; true when every one found its field. */
export function showFieldErrors<T extends FieldValues>(form: FormOf<T>, error: unknown): boolean {
  if (!(error instanceof ApiError) || error.fieldErrors.length === 0) return false;
  const values = form.getValues();
  const known = error.fieldErrors.filter(
    ({ path }) => path in values || get(values, path) !== undefined || isInText(values, path),
  );
  for (const [index, { path, message }] of known.entries()) {
    form.setError(path as FieldPath<T>, { type: 'server', message }, { shouldFocus: index === 0 });
  }
  return known.length === error.fieldErrors.length;
}

/** A field that holds a structure as text takes the errors of the places in it. */
function isInText(values: FieldValues, path: string): boolean {
  const [field = '', ...places] = path.split('.');
  return places.length > 0 && typeof values[field] === 'string';
}

/** Thrown by a save that somebody thought better of: the form stays as it is, and nothing is told. */
export class SaveDeclined extends Error {}

/** Reports a failed save: errors on their fields, else the server's words or `fallback` in the form's `FormFailure`. */
export function reportFailure<T extends FieldValues>(form: FormOf<T>, error: unknown, fallback: string): void {
  if (error instanceof SaveDeclined) return;
  if (showFieldErrors(form, error)) return;
  form.setError('root', { type: 'server', message: errorText(error, fallback) });
}
