import { ApiError, hasCode } from '#web/shared/api-error.ts';
import { paths } from '#web/shared/paths.ts';

const mark = '#email=';

/** Leads to the sign-in where the account is, with the address after the mark, which no server sees. */
export function leadElsewhere(error: unknown, email = ''): boolean {
  if (!(error instanceof ApiError) || !hasCode(error, 'other_cell') || error.url === undefined) return false;
  window.location.assign(
    new URL(email === '' ? paths.login : `${paths.login}${mark}${encodeURIComponent(email)}`, error.url),
  );
  return true;
}

/** Goes on with a page's errand where the account is: a link in a mail may be older than its move. */
export async function elsewhereToo<T>(call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    const url = error instanceof ApiError && hasCode(error, 'other_cell') ? error.url : undefined;
    if (url === undefined) throw error;
    const { pathname, search } = window.location;
    window.location.replace(new URL(pathname + search, url));
    // The page waits until the other one has taken its place.
    return new Promise<T>(() => undefined);
  });
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
