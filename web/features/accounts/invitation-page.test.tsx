import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import type { InvitationSeen } from '#contracts/team.ts';
import { clearSession, startSession } from '#web/shared/session.ts';
import { answerRequests, problem } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { sampleUser } from '#web/testing/samples.ts';
import { InvitationPage } from './invitation-page.tsx';

beforeEach(() => {
  localStorage.clear();
  onTestFinished(clearSession);
});

const seen: InvitationSeen = {
  account: { name: 'Larkspur' },
  inviter: { name: 'Jonas Weber' },
  role: 'agent',
  projects: ['Garden club', 'Larkspur Store'],
  email: 'ruth@example.com',
  has_user: false,
  requires_two_factor: false,
  expires_at: '2099-11-27T12:00:00.000Z',
};

function open(invitation: Partial<InvitationSeen> | 'gone', answers: Parameters<typeof answerRequests>[0] = {}) {
  const requests = answerRequests({
    'GET /api/invitations/dpi_1': () =>
      invitation === 'gone'
        ? problem(410, 'invitation_expired', 'This invitation has ended. Ask for a new one')
        : { body: { ...seen, ...invitation } },
    'GET /api/auth/options': () => ({ body: { oidc: null, sign_up: 'open' } }),
    ...answers,
  });
  const root = createRootRoute();
  const route = createRoute({ getParentRoute: () => root, path: '/invitations/$token', component: InvitationPage });
  const history = createMemoryHistory({ initialEntries: ['/invitations/dpi_1'] });
  const router = createRouter({ routeTree: root.addChildren([route]), history });
  render(<RouterProvider router={router as never} />);
  return (end: string) => requests.filter((request) => request.method === 'POST' && request.url.endsWith(end));
}

test('somebody new sees who invites to what, and joins by name and password', async () => {
  const accepted = open(
    { requires_two_factor: true },
    { 'POST /api/invitations/dpi_1/accept': () => problem(409, 'email_taken', 'Somebody has this address') },
  );
  await expect.element(page.getByRole('heading', { name: 'Join Larkspur' })).toBeVisible();
  await expect.element(page.getByText('Jonas Weber invites you')).toBeVisible();
  await expect.element(page.getByText('As agent in Garden club and Larkspur Store. ')).toBeVisible();
  await expect.element(page.getByLabelText('Email')).toHaveValue('ruth@example.com');
  await expect.element(page.getByText(/^This account asks everybody for a second factor/)).toBeVisible();
  const join = page.getByRole('button', { name: 'Join with a password' });
  await join.click();
  expect(accepted('/accept')).toHaveLength(0);
  await page.getByLabelText('Your name').fill('Ruth');
  await page.getByLabelText('Password', { exact: true }).fill('correct horse battery');
  await join.click();
  await expect.element(page.getByText('Somebody has this address')).toBeVisible();
  expect(await accepted('/accept')[0]?.json()).toMatchObject({ name: 'Ruth', password: 'correct horse battery' });
});

test('a person with a login signs in to join, by a second step where they have one', async () => {
  const sent = open(
    { has_user: true, projects: null },
    {
      'POST /api/auth/login': () => ({
        body: { two_factor_required: true, challenge: 'c', methods: ['totp', 'recovery_code'] },
      }),
    },
  );
  await expect.element(page.getByText('As agent. ')).toBeVisible();
  await page.getByLabelText('Password', { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Sign in and join' }).click();
  await expect.element(page.getByLabelText('Code', { exact: true })).toBeVisible();
  expect(await sent('/login')[0]?.json()).toEqual({ email: 'ruth@example.com', password: 'correct horse battery' });
});

test('the invited person who is signed in joins with a click, and anybody else does not', async () => {
  startSession({ token: 'token', user: sampleUser({ email: 'RUTH@example.com' }) });
  const accepted = open(
    {},
    { 'POST /api/invitations/dpi_1/accept': () => problem(409, 'already_member', 'You are in') },
  );
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await expect.element(page.getByText('You are in')).toBeVisible();
  expect(await accepted('/accept')[0]?.json()).toEqual({});
});

test('a link that has ended says so, and whom to ask', async () => {
  open('gone');
  await expect.element(page.getByRole('heading', { name: 'This invitation has ended' })).toBeVisible();
  await expect.element(page.getByText('This invitation has ended. Ask for a new one')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Go to Dovepost' })).toBeVisible();
});
