import { paths } from './paths.ts';

const storageKey = 'dovepost.return-path';

/** Notes the page where a session or a subscription ran out, for the next time it opens in this tab. */
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

/** Where a payment leads: as a sign-in, but never back to the page that takes payments. */
export function pathAfterPayment(): string {
  const path = returnPath();
  return path.startsWith(paths.subscription) ? paths.dashboard : path;
}
