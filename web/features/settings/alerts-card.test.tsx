import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { AlertKind } from '#contracts/alerts.ts';
import { answerRequests, problem } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { AlertsCard } from './alerts-card.tsx';

const all = Object.fromEntries(AlertKind.options.map((kind) => [kind, { mail: true, dashboard: true }]));

test('a switch saves at once, for its kind and place alone', async () => {
  const bodies: unknown[] = [];
  answerRequests({
    'GET /api/alert-settings': () => ({ body: all }),
    'PUT /api/alert-settings': async (request) => {
      bodies.push(await request.json());
      return { body: { ...all, import_done: { mail: false, dashboard: true } } };
    },
  });
  render(<AlertsCard />);
  const group = page.getByRole('group', { name: 'An import is done' });
  await expect.element(group.getByRole('switch', { name: 'Mail' })).toBeChecked();
  await group.getByRole('switch', { name: 'Mail' }).click();
  await expect.element(group.getByRole('switch', { name: 'Mail' })).not.toBeChecked();
  await expect.element(group.getByRole('switch', { name: 'Dashboard' })).toBeChecked();
  expect(bodies).toEqual([{ import_done: { mail: false } }]);
});

test('a setting that could not be saved says so, and stays as it was', async () => {
  answerRequests({
    'GET /api/alert-settings': () => ({ body: all }),
    'PUT /api/alert-settings': () => problem(503, 'busy', 'The server is busy'),
  });
  render(<AlertsCard />);
  const mail = page.getByRole('group', { name: 'Webhooks fail' }).getByRole('switch', { name: 'Mail' });
  await mail.click();
  await expect.element(page.getByText('The server is busy')).toBeVisible();
  await expect.element(mail).toBeChecked();
});
