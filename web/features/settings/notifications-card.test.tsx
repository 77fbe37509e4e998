import { afterEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { setUser } from '#web/shared/session.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleUser } from '#web/testing/samples.ts';
import { NotificationsCard } from './notifications-card.tsx';

const told = { page: true, push: true, mail: false };
const settings = {
  assigned: told,
  mentioned: told,
  message_mine: told,
  message_unassigned: told,
  snooze_ended: told,
  alert: told,
  mail_after_minutes: 15,
  shows_texts: true,
};
const subscription = { id: 1, program: 'Firefox', created_at: '2026-01-01T00:00:00.000Z', current: true };

afterEach(() => vi.restoreAllMocks());

test.each([
  { title: 'a browser that is pushed to says so', data: [subscription], isOn: true },
  { title: 'a browser that was subscribed in an earlier session is off', data: [], isOn: false },
])('$title', async ({ data, isOn }) => {
  const registration = { pushManager: { getSubscription: () => Promise.resolve({}) } };
  vi.spyOn(navigator.serviceWorker, 'getRegistration').mockResolvedValue(
    registration as unknown as ServiceWorkerRegistration,
  );
  answerRequests({
    'GET /api/notifications/settings': () => ({ body: settings }),
    'GET /api/notifications/push': () => ({ body: { public_key: 'key', data } }),
  });
  setUser(sampleUser());
  render(inRouter(<NotificationsCard />, '/settings/notifications').page);
  const ownSwitch = page.getByRole('switch', { name: 'Push to this browser' });
  await expect.element(ownSwitch).not.toHaveAttribute('aria-disabled');
  await (isOn ? expect.element(ownSwitch).toBeChecked() : expect.element(ownSwitch).not.toBeChecked());
});
