import { callApi } from './api.ts';

const workerPath = '/push-worker.js';

/** Whether this browser can be pushed to at all. */
export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

async function ownSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(workerPath);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Whether this browser is pushed to: its own subscription outlives the session, the server's ends with it. */
export async function isPushed(): Promise<boolean> {
  if (!canPush() || (await ownSubscription()) === null) return false;
  const { data } = await callApi('GET /api/notifications/push');
  return data.some(({ current }) => current);
}

/** Asks for leave, subscribes and tells the server. Throws where the person or the browser refuses. */
export async function startPush(): Promise<void> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') throw new Error('The browser does not let this page notify you. Allow it there first.');
  const { public_key: applicationServerKey } = await callApi('GET /api/notifications/push');
  const registration = await navigator.serviceWorker.register(workerPath);
  await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  const { endpoint, keys } = subscription.toJSON();
  const body = { endpoint: endpoint ?? '', keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } };
  await callApi('POST /api/notifications/push', { body });
}

/** Ends the subscription; the server learns it from the push service, and from here. */
export async function stopPush(): Promise<void> {
  const { data } = await callApi('GET /api/notifications/push');
  await (await ownSubscription())?.unsubscribe();
  for (const { id: subscriptionId, current } of data) {
    if (current) await callApi('DELETE /api/notifications/push/{subscriptionId}', { params: { subscriptionId } });
  }
}
