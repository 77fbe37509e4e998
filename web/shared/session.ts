import { useSyncExternalStore } from 'react';
import type { CurrentUser, SignedIn, User } from '#contracts/accounts.ts';
import type { Permission } from '#contracts/permissions.ts';
import type { Subscription } from '#contracts/billing.ts';

/** Enough to greet somebody by, and to know whose things this browser keeps. */
type Identity = Pick<User, 'id' | 'name' | 'email'>;

/**
 * The signed-in user of this browser. `user` and `subscription` are null until the server has told them; `identity` is
 * remembered from the last visit. `suspension` is set while an operator has suspended the account.
 */
export type Session = {
  readonly token: string | null;
  readonly identity: Identity | null;
  readonly user: User | null;
  readonly subscription: Subscription | null;
  readonly suspension: CurrentUser['suspension'];
  /** When the account is deleted, as an owner has asked. */
  readonly deletesAt: CurrentUser['deletes_at'];
  readonly currentProjectId: number | null;
  /** The account that the person works in, and their role in it. */
  readonly membership: Membership | null;
  /** The account asks everybody for a second factor, and the person has none: nothing else is open. */
  readonly lacksFactor: boolean;
  /** The session has moved to another account in another tab. */
  readonly isElsewhere: boolean;
};

type Membership = Pick<CurrentUser, 'account' | 'role' | 'permissions' | 'project_ids'>;

const storageKey = 'dovepost.session';
const signedOut: Session = {
  token: null,
  identity: null,
  user: null,
  subscription: null,
  suspension: null,
  deletesAt: null,
  currentProjectId: null,
  membership: null,
  lacksFactor: false,
  isElsewhere: false,
};

const listeners = new Set<() => void>();
let session: Session = readStored();

export function getSession(): Session {
  return session;
}

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSession(): Session {
  return useSyncExternalStore(onSessionChange, getSession);
}

export function startSession({ token, user }: SignedIn): void {
  replaceSession({ ...signedOut, token, user });
}

/** A server of the release before says nothing of a suspension, nor of the account. */
export function setCurrentUser({
  user,
  subscription,
  ...rest
}: Pick<CurrentUser, 'user' | 'subscription'> & Partial<CurrentUser>): void {
  const { suspension = null, deletes_at: deletesAt = null, account, role, permissions, project_ids = null } = rest;
  const lacksFactor = rest.second_factor_missing === true;
  const isKnown = account !== undefined && role !== undefined && permissions !== undefined;
  const membership = isKnown ? { account, role, permissions, project_ids } : null;
  replaceSession({ ...session, user, subscription, suspension, deletesAt, membership, lacksFactor });
}

/** Said by the server, which refused a request that named the account of this page. */
export function noteElsewhere(isElsewhere: boolean): void {
  if (session.isElsewhere !== isElsewhere) replaceSession({ ...session, isElsewhere });
}

/** Said by the server, which refused a request for it. */
export function noteLackingFactor(): void {
  if (!session.lacksFactor) replaceSession({ ...session, lacksFactor: true });
}

/** Whether the role allows it. While nothing is known the server alone refuses. */
export function useCan(): (permission: Permission) => boolean {
  const permissions = useSession().membership?.permissions;
  return (permission) => permissions?.includes(permission) ?? true;
}

/** Whether the member sees some of the projects alone, and has nothing of what concerns all of them. */
export const useIsNarrowed = (): boolean => (useSession().membership?.project_ids ?? null) !== null;

/** Whether nothing is paid for yet, and sandbox numbers alone can be used. */
export const useIsOnTrial = (): boolean => Boolean(useSession().subscription?.trial_ends_at);

/** The permission for changing a sender of many: an audience beyond the projects of a narrowed member takes all contacts. */
export function useNeededFor(): (thing: { audience_project_ids: readonly number[] | null }) => Permission {
  const own = useSession().membership?.project_ids ?? null;
  return ({ audience_project_ids: reached }) =>
    own === null || reached?.every((id) => own.includes(id)) ? 'campaigns:write' : 'contacts:write';
}

/** How many projects the account may have. */
export const useProjectLimit = (): number => useSession().membership?.account.project_limit ?? 1;

export const projectLimitText = (limit: number): string =>
  `Your plan includes ${limit === 1 ? 'one project' : `${limit} projects`}.`;

export function setUser(user: User): void {
  replaceSession({ ...session, user });
}

export function setSubscription(subscription: Subscription): void {
  replaceSession({ ...session, subscription });
}

export function setCurrentProject(currentProjectId: number | null): void {
  if (session.currentProjectId !== currentProjectId) replaceSession({ ...session, currentProjectId });
}

export function clearSession(): void {
  replaceSession(signedOut);
}

export function hasActiveSubscription(subscription: Subscription): boolean {
  return subscription.status === 'active' || subscription.hasActiveSubscription;
}

/** A trial opens the product, too, but leaves a plan to be chosen. A server of the last release knows no trial. */
export function hasPaidAccess(subscription: Subscription): boolean {
  return hasActiveSubscription(subscription) && !subscription.trial_ends_at;
}

function replaceSession(next: Session): void {
  session = next.user === null ? next : { ...next, identity: identityOf(next.user) };
  try {
    if (next.token === null) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, JSON.stringify(storable(session)));
  } catch {
    // Storage is blocked or full: the session lives as long as the page.
  }
  for (const listener of listeners) listener();
}

function readStored(): Session {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as StoredSession | null;
    if (typeof stored?.token !== 'string') return signedOut;
    const { token, user, currentProjectId } = stored;
    return {
      ...signedOut,
      token,
      identity: user ? identityOf(user) : null,
      currentProjectId: currentProjectId ?? null,
    };
  } catch {
    return signedOut;
  }
}

type StoredSession = { token: string | null; user?: Identity | null; currentProjectId?: number | null };

function identityOf({ id, name, email }: Identity): Identity {
  return { id, name, email };
}

/** The api_key stays in memory: whoever reads a disk or a shared computer must not get a key that never expires. */
function storable({ token, identity, currentProjectId }: Session): StoredSession {
  return { token, user: identity, currentProjectId };
}

// Signing in or out in one tab does so in all of them.
window.addEventListener('storage', (event) => {
  if (event.key !== storageKey && event.key !== null) return;
  const stored = readStored();
  const isSameUser = stored.token === session.token;
  session = isSameUser ? { ...session, currentProjectId: stored.currentProjectId } : stored;
  for (const listener of listeners) listener();
});
