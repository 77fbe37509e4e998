import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { AccountSession } from '#contracts/security-events.ts';
import { answerRequests, problem } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { SessionsCard } from './sessions-card.tsx';

const session = (changes: Partial<AccountSession>): AccountSession => ({
  id: 1,
  current: true,
  ip: '203.0.113.24',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  created_at: '2026-11-14T08:00:00.000Z',
  last_used_at: '2026-11-20T08:00:00.000Z',
  ...changes,
});
const phone = session({
  id: 2,
  current: false,
  user_agent: 'Mozilla/5.0 (Linux; Android 16) Chrome/140.0 Mobile Safari/537.36',
});

function open(first: AccountSession[], answers: Parameters<typeof answerRequests>[0] = {}) {
  let sessions = first;
  const requests = answerRequests({
    'GET /api/user/sessions': () => ({ body: { data: sessions } }),
    'POST /api/auth/sign-out-everywhere': () => {
      sessions = sessions.filter(({ current }) => current);
      return { status: 204 };
    },
    'DELETE /api/user/sessions/2': () => {
      sessions = sessions.filter(({ id }) => id !== 2);
      return { status: 204 };
    },
    ...answers,
  });
  render(<SessionsCard />);
  return () =>
    requests
      .filter(({ method }) => method !== 'GET')
      .map(({ method, url }) => `${method} ${new URL(url).pathname}${new URL(url).search}`);
}

const elsewhere = page.getByRole('button', { name: 'Sign out everywhere else' });

test('every other browser is signed out once that was asked, and this one goes on', async () => {
  const sent = open([session({}), phone]);
  await expect.element(page.getByText('2 sessions.')).toBeVisible();
  await elsewhere.click();
  const question = page.getByRole('alertdialog', { name: 'Sign out everywhere else?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(sent()).toEqual([]);
  await elsewhere.click();
  await question.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect.element(page.getByText('Signed out everywhere else', { exact: true })).toBeVisible();
  expect(sent()).toEqual(['POST /api/auth/sign-out-everywhere?except=current']);
  await expect.element(page.getByText('1 session.')).toBeVisible();
  await expect.element(elsewhere).toBeDisabled();
  await expect.element(page.getByText('This browser')).toBeVisible();
});

test('a single browser is signed out, and this one has no such button', async () => {
  const sent = open([session({}), phone]);
  await page.getByRole('button', { name: /^Sign out Chrome/ }).click();
  await expect.element(page.getByText('Signed out there')).toBeVisible();
  expect(sent()).toEqual(['DELETE /api/user/sessions/2']);
  await expect.element(page.getByRole('button', { name: /^Sign out (Chrome|Firefox)/ })).not.toBeInTheDocument();
});

test('sessions that do not come say so', async () => {
  open([], { 'GET /api/user/sessions': () => problem(503, 'unavailable', 'Later') });
  await expect.element(page.getByText('Failed to load the sessions')).toBeVisible();
});
