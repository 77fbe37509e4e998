import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleProject, sampleUser } from '#web/testing/samples.ts';
import { clearSession, setCurrentProject, startSession } from '#web/shared/session.ts';
import { SettingsScreen } from './settings-screen.tsx';

const on = sampleProject({ webhook_url: 'https://shop.example/hook' });
const off = {
  ...on,
  webhook_disabled_at: '2026-11-21T08:00:00.000Z',
  webhook_disabled_reason: 'The URL answered 410 Gone.',
};

test('a webhook URL that was switched off says why in the settings, and is switched on there', async () => {
  const requests = answerRequests({
    'GET /api/projects': () => ({ body: { data: [off] } }),
    'PUT /api/projects/3/webhook': () => ({ body: on }),
    'GET /api/user/sessions': () => ({ body: { data: [] } }),
    'GET /api/user/security-events': () => ({ body: { data: [], total: 0, page: 1, pageSize: 10 } }),
  });
  startSession({ token: 'token', user: sampleUser() });
  setCurrentProject(3);
  onTestFinished(clearSession);
  render(inRouter(<SettingsScreen />).page);
  await expect.element(page.getByText('The URL answered 410 Gone.')).toBeVisible();
  await page.getByRole('button', { name: 'Save URL again' }).click();
  await expect.element(page.getByText('This URL was switched off')).not.toBeInTheDocument();
  const body: unknown = await requests.find(({ method }) => method === 'PUT')?.json();
  expect(body).toEqual({ webhook_url: 'https://shop.example/hook' });
});
