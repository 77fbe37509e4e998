import type { CurrentUser } from '#contracts/accounts.ts';
import { callApi } from './api.ts';
import { ApiError, hasStatus } from './api-error.ts';
import { logFailure } from './log-failure.ts';
import { rememberReturnPath } from './return-path.ts';
import { clearSession, getSession, setCurrentUser } from './session.ts';
import { notify } from './ui/toast-store.ts';

let running: { token: string | null; answer: Promise<CurrentUser> } | undefined;

/** Asks who is signed in and what they subscribe to. A 401 clears the session. Callers at the same time share one request. */
export function loadCurrentUser(): Promise<CurrentUser> {
  const { token } = getSession();
  if (running === undefined || running.token !== token) {
    const answer = fetchCurrentUser(token).finally(() => {
      if (running?.answer === answer) running = undefined;
    });
    running = { token, answer };
  }
  return running.answer;
}

/** As `loadCurrentUser`; a failure is only logged. */
export async function refreshCurrentUser(): Promise<void> {
  try {
    await loadCurrentUser();
  } catch (error) {
    logFailure('The current user could not be loaded.', error);
  }
}

async function fetchCurrentUser(token: string | null): Promise<CurrentUser> {
  try {
    const current = await callApi('GET /api/user/me');
    if (getSession().token === token) setCurrentUser(current);
    return current;
  } catch (error) {
    if (hasStatus(error, 401) && getSession().token === token) {
      rememberReturnPath();
      clearSession();
      notify.info('Your session has ended. Sign in to go on where you were.');
    }
    if (error instanceof ApiError && error.code === 'no_account' && getSession().token === token) {
      clearSession();
      notify.info('You are a member of no account any more. An invitation lets you in again.');
    }
    throw error;
  }
}
