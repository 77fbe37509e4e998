import { redirect } from '@tanstack/react-router';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { paths } from '#web/shared/paths.ts';
import { pathAfterPayment, rememberReturnPath, returnPath } from '#web/shared/return-path.ts';
import { getSession } from '#web/shared/session.ts';
import { redirectFor, type RouteAccess } from './route-access.ts';

/** The token whose user this page has heard of; what storage remembers may be out of date. */
let askedToken: string | null = null;

/** Lets a visitor into a route or sends them where they belong. Asks for the current user first, once a page load. */
export async function guardRoute(access: RouteAccess): Promise<void> {
  const { token, subscription } = getSession();
  if (token !== null && access !== 'open' && (token !== askedToken || subscription === null)) {
    askedToken = token;
    await refreshCurrentUser();
  }
  const target = redirectFor(access, getSession());
  if (target === undefined) return;
  if (isWorthComingBackTo(target)) rememberReturnPath();
  throw redirect({ href: destination(access, target), replace: true });
}

function destination(access: RouteAccess, target: string): string {
  if (access === 'guest') return returnPath();
  return access === 'signed-in' && target === paths.dashboard ? pathAfterPayment() : target;
}

/**
 * A page that somebody who has to sign in first came for, and one that a lapsed subscription closes; who signs out here
 * leaves nothing behind.
 */
function isWorthComingBackTo(target: string): boolean {
  if (target === paths.login) return askedToken === null;
  return target === paths.subscription && Boolean(getSession().subscription?.currentSubscription?.started_at);
}
