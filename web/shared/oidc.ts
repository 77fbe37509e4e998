import { paths } from './paths.ts';

const storageKey = 'dovepost.oidc';

/** Why this tab is at the identity provider; an invitation is what somebody new accepts with it. */
export type OidcErrand = { purpose: 'sign_in' | 'confirm'; invitation?: string };

export function goToProvider(url: string, errand: OidcErrand): void {
  sessionStorage.setItem(storageKey, JSON.stringify(errand));
  location.assign(url);
}

export function oidcErrand(): OidcErrand {
  const stored = sessionStorage.getItem(storageKey);
  return stored === null ? { purpose: 'sign_in' } : (JSON.parse(stored) as OidcErrand);
}

const channelName = 'dovepost.identity';

/** Said by the window in which the person has shown who they are. */
export function announceConfirmation(): void {
  const channel = new BroadcastChannel(channelName);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has its own origin alone.
  channel.postMessage('confirmed');
  channel.close();
}

export function onConfirmation(listener: () => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', listener);
  return () => channel.close();
}

/** Opened within the press of a button, as browsers want it: the window itself asks where to go. */
export function openConfirmationWindow(): void {
  window.open(`${paths.oidcCallback}?begin=confirm`, 'dovepost-confirm', 'popup,width=520,height=720');
}
