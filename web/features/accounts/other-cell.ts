import { ApiError, hasCode } from '#web/shared/api-error.ts';
import { paths } from '#web/shared/paths.ts';

const mark = '#email=';

/** Leads to the sign-in where the account is, with the address after the mark, which no server sees. */
export function leadElsewhere(error: unknown, email: string): boolean {
  if (!(error instanceof ApiError) || !hasCode(error, 'other_cell') || error.url === undefined) return false;
  window.location.assign(new URL(`${paths.login}${mark}${encodeURIComponent(email)}`, error.url));
  return true;
}

/** The address that somebody typed at the sign-in that has led here. */
export function emailFromElsewhere(): string {
  const { hash } = window.location;
  if (!hash.startsWith(mark)) return '';
  try {
    return decodeURIComponent(hash.slice(mark.length));
  } catch {
    return '';
  }
}
