import { paths } from './paths.ts';

const storageKey = 'dovepost.return-path';

/** Notes where a session ran out, for the next sign-in in this tab. */
export function rememberReturnPath(): void {
  sessionStorage.setItem(storageKey, location.pathname + location.search);
}

export function forgetReturnPath(): void {
  sessionStorage.removeItem(storageKey);
}

/** Where a sign-in leads: where the last session ran out, else the dashboard. */
export function returnPath(): string {
  return sessionStorage.getItem(storageKey) ?? paths.dashboard;
}
