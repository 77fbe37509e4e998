import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Invitation, Member } from '#contracts/team.ts';
import { permissionsOf } from '#contracts/roles.ts';
import type { Role } from '#contracts/roles.ts';
import { clearSession, setCurrentUser, startSession } from '#web/shared/session.ts';
import { answerRequests, problem } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleMembership, sampleProject, sampleSubscription, sampleUser } from '#web/testing/samples.ts';
import { TeamPage } from './team-page.tsx';

const member = (changes: Partial<Member>): Member => ({
  id: 2,
  name: 'Maya Okafor',
  email: 'maya@example.com',
  role: 'owner',
  project_ids: null,
  two_factor: true,
  last_seen_at: null,
  ...changes,
});

const jonas = member({
  id: 8,
  name: 'Jónas Weber',
  email: 'jonas@example.com',
  role: 'agent',
  project_ids: [3],
  two_factor: false,
});
const nadia: Invitation = {
  id: 5,
  email: 'nadia@example.com',
  role: 'marketer',
  project_ids: null,
  expires_at: new Date(Date.now() + 3 * 86_400_000).toISOString(),
};

function open(answers: Parameters<typeof answerRequests>[0] = {}, role: Role = 'owner') {
  startSession({ token: 'token', user: sampleUser({ id: 2 }) });
  const membership = { ...sampleMembership(), role, permissions: permissionsOf({ role, projectIds: null }) };
  setCurrentUser({ user: sampleUser({ id: 2 }), subscription: sampleSubscription(), suspension: null, ...membership });
  onTestFinished(clearSession);
  const requests = answerRequests({
    'GET /api/team': () => ({ body: { members: [member({}), jonas], invitations: [nadia] } }),
    'GET /api/projects': () => ({ body: { data: [sampleProject({ id: 3, name: 'Larkspur Store' })] } }),
    ...answers,
  });
  render(inRouter(<TeamPage />, '/settings/team').page);
  return requests.filter.bind(requests);
}

const people = page.getByRole('region', { name: 'People' });
const invite = page.getByRole('button', { name: 'Invite people' });
const dialog = page.getByRole('dialog', { name: 'Invite people' });

test('each member is shown with role, projects and second factor, and found by name, address and role', async () => {
  open();
  await expect.element(page.getByText('2 people and 1 open invitation')).toBeVisible();
  await expect.element(page.getByLabelText('Role of Jónas Weber')).toHaveValue('agent');
  await expect.element(people.getByText('Larkspur Store')).toBeVisible();
  await expect.element(people.getByText('No second factor')).toBeVisible();
  await expect.element(page.getByText('nadia@example.com', { exact: true })).toBeVisible();
  const search = page.getByRole('searchbox', { name: 'Search people' });
  await search.fill('jonas');
  await expect.element(people.getByText('Maya Okafor')).not.toBeInTheDocument();
  await expect.element(people.getByText('Jónas Weber')).toBeVisible();
  await expect.element(page.getByText('nadia@example.com', { exact: true })).not.toBeInTheDocument();
  await search.fill('');
  await page.getByLabelText('Role', { exact: true }).selectOptions('marketer');
  await expect.element(people.getByText('Nobody matches.')).toBeVisible();
  await expect.element(page.getByText('nadia@example.com', { exact: true })).toBeVisible();
});

test('a role is changed at once, and one that the server refuses stays with the reason', async () => {
  const sent = open({
    'PATCH /api/team/members/8': () => problem(409, 'last_owner', 'Somebody has to own the account'),
  });
  await page.getByLabelText('Role of Jónas Weber').selectOptions('viewer');
  await expect.element(page.getByText('Somebody has to own the account')).toBeVisible();
  await expect.element(page.getByLabelText('Role of Jónas Weber')).toHaveValue('agent');
  expect(await sent(({ method }) => method === 'PATCH')[0]?.json()).toEqual({ role: 'viewer' });
});

test('somebody is invited as the role and to the projects that were chosen, and the link is shown once', async () => {
  const url = 'https://dovepost.example/invitations/dpi_1';
  const sent = open({ 'POST /api/team/invitations': () => ({ status: 201, body: { ...nadia, url } }) });
  await invite.click();
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect.element(dialog.getByText('Enter a valid email address')).toBeVisible();
  await dialog.getByLabelText('Email').fill('nadia@example.com');
  await dialog.getByRole('radio', { name: /^Marketer/ }).click();
  await dialog.getByRole('radio', { name: 'Chosen' }).click();
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect.element(dialog.getByText('Choose at least one project')).toBeVisible();
  expect(sent(({ method }) => method === 'POST')).toHaveLength(0);
  await dialog.getByRole('checkbox', { name: 'Larkspur Store' }).click();
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  const link = page.getByRole('dialog', { name: 'Invitation link' });
  await expect.element(link.getByLabelText('Invitation link', { exact: true })).toHaveValue(url);
  expect(await sent(({ method }) => method === 'POST')[0]?.json()).toEqual({
    email: 'nadia@example.com',
    role: 'marketer',
    project_ids: [3],
  });
});

test('an invitation that is refused says why, and the dialog stays', async () => {
  open({ 'POST /api/team/invitations': () => problem(409, 'already_member', 'This person is a member already') });
  await invite.click();
  await dialog.getByLabelText('Email').fill('jonas@example.com');
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect.element(page.getByText('This person is a member already')).toBeVisible();
  await expect.element(dialog.getByLabelText('Email')).toHaveValue('jonas@example.com');
});

test('an agent sees the team and changes nothing of it', async () => {
  open({}, 'agent');
  await expect.element(people.getByText('Jónas Weber')).toBeVisible();
  await expect.element(invite).toBeDisabled();
  await expect.element(page.getByLabelText('Role of Jónas Weber')).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Actions for Jónas Weber' })).toBeDisabled();
  await expect.element(page.getByRole('button', { name: /^Withdraw/ })).toBeDisabled();
});
