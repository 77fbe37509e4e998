import { redirect } from '@tanstack/react-router';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { returnPath } from '#web/shared/return-path.ts';
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
  throw redirect({ href: access === 'guest' ? returnPath() : target, replace: true });
}
