import { callApi } from '#web/shared/api.ts';
import { logFailure } from '#web/shared/log-failure.ts';
import { forgetReturnPath } from '#web/shared/return-path.ts';
import { clearSession, getSession } from '#web/shared/session.ts';

/** Leaving never waits for the server: the token is gone from this browser at once, and revoked when the call arrives. */
export function logOut(): void {
  // The second click of a double one comes before the page has gone.
  if (getSession().token === null) return;
  callApi('POST /api/auth/logout').catch((error: unknown) => logFailure('The session was not revoked.', error));
  forgetReturnPath();
  clearSession();
}
