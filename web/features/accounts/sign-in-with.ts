import type { SignedIn } from '#contracts/accounts.ts';
import { ApiError, errorText } from '#web/shared/api-error.ts';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { startSession } from '#web/shared/session.ts';

/** Stores the token and the user, then loads the current user; the route guard leads on from there. */
export async function signInWith(signedIn: SignedIn): Promise<void> {
  startSession(signedIn);
  await refreshCurrentUser();
}

/** The server's words when it had any, else `fallback`. */
export function signInFailure(error: unknown, fallback: string): string {
  const isAnswered = error instanceof ApiError && error.status !== 0 && error.code !== 'unexpected_answer';
  return isAnswered ? errorText(error, fallback) : fallback;
}
