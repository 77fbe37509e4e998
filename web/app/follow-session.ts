import { getSession, onSessionChange } from '#web/shared/session.ts';
import { forgetOtherUsers, forgetUser } from './forget-user.ts';
import { queryClient } from './query-client.ts';
import { router } from './router.ts';

/** The guard decides anew whenever access changes, and another user's data does not outlive the session. */
export function followSession(): void {
  let previous = getSession();
  onSessionChange(() => {
    const { token, identity, subscription, lacksFactor } = getSession();
    const isAnotherUser = previous.token !== null && token !== previous.token;
    const hasOtherAccess =
      token !== previous.token ||
      subscription?.status !== previous.subscription?.status ||
      lacksFactor !== previous.lacksFactor;
    if (identity !== null && identity.id !== previous.identity?.id) void forgetOtherUsers(identity.id);
    if (token === null && previous.identity !== null) forgetUser(previous.identity.id);
    previous = getSession();
    if (hasOtherAccess) void followAccess(isAnotherUser);
  });
}

async function followAccess(isAnotherUser: boolean): Promise<void> {
  // First the page, then its data: a page still open would ask for it again, without a session.
  await router.invalidate();
  if (!isAnotherUser) return;
  if (getSession().token === null) queryClient.clear();
  else await queryClient.resetQueries();
}
