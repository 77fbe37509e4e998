import type { Page } from '@playwright/test';
import { listConversations, updateConversation } from '#contracts/conversations.ts';
import { receiveSandboxMessage } from '#contracts/messages.ts';
import { createPushSubscription } from '#contracts/notifications.ts';
import { acceptInvitation, invite } from '#contracts/team.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { startPushServiceStandIn } from '#tests/support/push-service-stand-in.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

type WorkerScope = {
  WindowClient: { prototype: object };
  shown: { title: string }[];
  registration: { showNotification: (title: string, options: object) => Promise<void> };
};

test('a push of a conversation is shown by the browser, and a click on it opens the conversation', async ({
  page,
  context,
  product,
}) => {
  await using service = await startPushServiceStandIn();
  const owner = await signUpSubscriber(product.url);
  const project = await makeProject(owner);
  const phone = await connectSandboxPhone(owner, project.id);
  const body = { from: '14155550132', message: 'Hello?' };
  await owner.api.call(receiveSandboxMessage, { params: { phoneId: phone.id }, body });
  const email = `grace-${owner.id}@example.com`;
  const { body: invitation } = await owner.api.call(invite, { body: { email, role: 'agent' } });
  const token = invitation.url.slice(invitation.url.lastIndexOf('/') + 1);
  const person = { name: 'Grace Hopper', password: 'correct horse battery' };
  const joined = await createApiClient(product.url).call(acceptInvitation, { params: { token }, body: person });
  const api = createApiClient(product.url, { authorization: joined.body.token });
  const agent = { id: joined.body.user.id, token: joined.body.token, api };
  await agent.api.call(createPushSubscription, { body: service.subscribe('browser') });
  await context.grantPermissions(['notifications']);
  await signInAs(page, '/settings/notifications', agent);

  const devTools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [registration] }) => {
      if (registration) resolve(registration.registrationId);
    });
  });
  await devTools.send('ServiceWorker.enable');
  // No service of a browser's maker is in reach, so that the page cannot subscribe itself: the worker is all it lacks.
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/push-worker.js');
    await navigator.serviceWorker.ready;
  });

  const conversations = await owner.api.call(listConversations, { query: {} });
  const conversationId = conversations.body.data[0]?.id ?? 0;
  await owner.api.call(updateConversation, { params: { conversationId }, body: { assigned_to: agent.id } });
  await expect.poll(() => service.pushes.length).toBe(1);
  const data = JSON.stringify(service.pushes[0]?.payload);
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  // A browser without a desktop has no place for notifications: noted as the worker asks for them.
  await worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope;
    scope.shown = [];
    scope.registration.showNotification = async (title, options) => {
      scope.shown.push({ title, ...options });
    };
  });
  const registrationId = await registered;
  await devTools.send('ServiceWorker.deliverPushMessage', { origin: product.url, registrationId, data });
  const path = `/inbox?conversation=${conversationId}`;
  await expect
    .poll(() => worker.evaluate(() => (globalThis as unknown as WorkerScope).shown))
    .toEqual([
      {
        title: 'Ada Lovelace gave you +1 415 555 0132',
        body: '',
        tag: `assigned ${conversationId}`,
        data: { path },
        icon: '/favicon.svg',
      },
    ]);

  // A page that was open before the worker was there is not its own yet.
  await page.reload();
  await worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope;
    const [shown] = scope.shown;
    // Granted to a click alone, which cannot be made here.
    Object.assign(scope.WindowClient.prototype, { focus: () => Promise.resolve() });
    const event = new Event('notificationclick');
    const notification = { close: () => undefined, ...shown };
    globalThis.dispatchEvent(Object.assign(event, { notification, waitUntil: () => undefined }));
  });
  await expect.poll(() => context.pages().some((each) => each.url().endsWith(path))).toBe(true);

  // A page is there already: it is the one that is shown, though another was loaded from that address later, and left it.
  const there = context.pages().find((each) => each.url().endsWith(path));
  if (there === undefined) throw new Error('No page shows the conversation');
  const other = await context.newPage();
  await signInAs(other, path, agent);
  await other.getByRole('link', { name: 'Messages', exact: true }).click();
  await expect(other).toHaveURL('/messages');
  const wasFocused = (each: Page) => each.evaluate(() => 'wasFocused' in globalThis);
  for (const each of [there, other]) {
    await each.evaluate(() => {
      navigator.serviceWorker.addEventListener('message', (event) => {
        if (event.data === 'focused') Object.assign(globalThis, { wasFocused: true });
      });
    });
  }
  await worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope;
    const [shown] = scope.shown;
    Object.assign(scope.WindowClient.prototype, {
      focus(this: { postMessage: (data: string, transfer: []) => void }) {
        this.postMessage('focused', []);
        return Promise.resolve();
      },
    });
    const notification = { close: () => undefined, ...shown };
    const event = new Event('notificationclick');
    globalThis.dispatchEvent(Object.assign(event, { notification, waitUntil: () => undefined }));
  });
  await expect.poll(() => wasFocused(there)).toBe(true);
  expect(await wasFocused(other)).toBe(false);
  await expect(other).toHaveURL('/messages');
});
