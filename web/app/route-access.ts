import { paths } from '#web/shared/paths.ts';
import { hasActiveSubscription, hasPaidAccess, type Session } from '#web/shared/session.ts';

/**
 * The visitors that a route is for:
 * - `guest`: signed-out visitors;
 * - `open`: anyone;
 * - `signed-in`: users without an active subscription, or on trial (the subscription page);
 * - `payer`: users who return to it from the payment provider, where access may have opened meanwhile;
 * - `factorless`: users whose account asks for a second factor that they do not have yet, and no others;
 * - `subscriber`: every other page.
 */
export type RouteAccess = 'guest' | 'open' | 'signed-in' | 'payer' | 'factorless' | 'subscriber';

/**
 * Where a visitor is sent instead, if anywhere. A subscription that is not known yet keeps nobody out:
 * the server refuses what it must, and the next answer about the user decides.
 */
export function redirectFor(access: RouteAccess, session: Session): string | undefined {
  if (access === 'open') return undefined;
  if (access === 'guest') return session.token === null ? undefined : paths.dashboard;
  if (session.token === null) return paths.login;
  if (session.lacksFactor) return access === 'factorless' ? undefined : paths.secondFactor;
  if (access === 'factorless') return session.membership === null ? undefined : paths.dashboard;
  if (access === 'payer' || session.subscription === null) return undefined;
  if (access === 'signed-in') return hasPaidAccess(session.subscription) ? paths.dashboard : undefined;
  return hasActiveSubscription(session.subscription) ? undefined : paths.subscription;
}
