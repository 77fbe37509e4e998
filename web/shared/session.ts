import { useSyncExternalStore } from 'react';
import type { CurrentUser, SignedIn, User } from '#contracts/accounts.ts';
import type { Subscription } from '#contracts/billing.ts';

/** Who is signed in here. `subscription` is null until the server has told it. */
export type Session = {
  readonly token: string | null;
  readonly user: User | null;
  readonly subscription: Subscription | null;
  readonly currentProjectId: number | null;
};

const storageKey = 'dovepost.session';
const signedOut: Session = { token: null, user: null, subscription: null, currentProjectId: null };

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

export function setCurrentUser({ user, subscription }: CurrentUser): void {
  replaceSession({ ...session, user, subscription });
}

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

function replaceSession(next: Session): void {
  session = next;
  try {
    if (next.token === null) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, JSON.stringify(next));
  } catch {
    // Storage is blocked or full: the session lives as long as the page.
  }
  for (const listener of listeners) listener();
}

function readStored(): Session {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
    if (typeof stored !== 'object' || stored === null || !('token' in stored)) return signedOut;
    return { ...signedOut, ...(stored as Partial<Session>) };
  } catch {
    return signedOut;
  }
}

// Signing in or out in one tab does so in all of them.
window.addEventListener('storage', (event) => {
  if (event.key !== storageKey && event.key !== null) return;
  session = readStored();
  for (const listener of listeners) listener();
});
