import { paths } from './paths.ts';

const storageKey = 'dovepost.return-path';

/** Notes the page that was asked for, or where a session or a subscription ran out, until it opens again in this tab. */
export function rememberReturnPath(): void {
  sessionStorage.setItem(storageKey, location.pathname + location.search + location.hash);
}

export function forgetReturnPath(): void {
  sessionStorage.removeItem(storageKey);
}

/** Where a sign-in leads: to the page that was asked for or where the last session ran out, else the dashboard. */
export function returnPath(): string {
  const path = sessionStorage.getItem(storageKey);
  return path !== null && isOwnPath(path) ? path : paths.dashboard;
}

/** `//host/path` would lead to another site, and the pages that sign in to themselves. */
export function isOwnPath(path: string): boolean {
  if (!/^\/(?![/\\])/.test(path)) return false;
  return ![paths.login, paths.signup].some((page) => path === page || path.startsWith(`${page}?`));
}

/** Where a payment leads: as a sign-in, but never back to the page that takes payments. */
export function pathAfterPayment(): string {
  const path = returnPath();
  return path.startsWith(paths.subscription) ? paths.dashboard : path;
}
