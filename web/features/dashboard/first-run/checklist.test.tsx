import { useQueryClient } from '@tanstack/react-query';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import type { DayCounts } from '#contracts/messages.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { Project } from '#contracts/projects.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { clearSession, setCurrentUser, setSubscription, startSession } from '#web/shared/session.ts';
import { answerRequests, problem } from '#web/testing/answer-requests.ts';
import { sampleDays } from '#web/testing/day-counts.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleMembership, sampleProject, sampleSubscription, sampleUser } from '#web/testing/samples.ts';
import { MessagesCard } from '../chart/messages-card.tsx';
import { Checklist } from './checklist.tsx';
import { useFirstRun } from './use-first-run.ts';

type Account = { project?: Project; phones?: readonly PhoneNumber[]; days?: readonly DayCounts[] };

const created = sampleProject({ created_at: '2026-11-20T10:00:00.000Z', status: 'created', is_connected: false });
const connected = sampleProject({ created_at: '2026-11-20T10:00:00.000Z' });

let account: Account;

beforeEach(() => {
  localStorage.clear();
  account = {};
});

function Page() {
  const queryClient = useQueryClient();
  const { project } = account;
  const firstRun = useFirstRun(project ? [project] : [], project);
  return (
    <>
      <Checklist firstRun={firstRun} project={project} />
      {firstRun.state === 'none' && <MessagesCard />}
      <button type="button" onClick={() => void queryClient.invalidateQueries({ queryKey: queryKeys.dailyCounts })}>
        News
      </button>
    </>
  );
}

function open(first: Account, userId = 2): { requests: Request[]; address: () => string } {
  account = first;
  startSession({ token: 'token', user: sampleUser({ id: userId }) });
  setSubscription(sampleSubscription({}, { next_payment_at: '2026-12-14T00:00:00.000Z' }));
  onTestFinished(clearSession);
  const requests = answerRequests({
    'GET /api/projects/3/phone-numbers': () => ({ body: { data: account.phones ?? [] } }),
    'GET /api/messages/daily-counts': () => ({ body: { data: account.days ?? sampleDays(), timezone: 'UTC' } }),
  });
  const { page: element, address } = inRouter(<Page />);
  render(element);
  return { requests, address };
}

/** As live news do it. */
async function goOn(next: Account): Promise<void> {
  account = next;
  await page.getByRole('button', { name: 'News' }).click();
}

const list = page.getByRole('region', { name: 'Get started' });
const steps = list.getByRole('listitem');
const allSet = page.getByText('You are all set');

test('a new account sees where it stands and where the next step is', async () => {
  const { address } = open({});
  await expect.element(list).toHaveTextContent('1 of 4 done');
  await expect.element(steps.nth(0)).toHaveTextContent('Done: Choose a planPremium Plan, renews on 14 December 2026.');
  await expect.element(steps.nth(1)).toHaveAttribute('aria-current', 'step');
  await page.getByRole('link', { name: 'Create project' }).click();
  expect(address()).toBe('/projects/new');
});

test.each([
  ['Choose a plan', '/settings#subscription'],
  ['Create a project', '/projects/3'],
  ['Connect WhatsApp', '/projects/3/phone-numbers/connect'],
  ['Send the first message', '/#send-message'],
])('%s leads to %s', async (name, target) => {
  const { address } = open({ project: created });
  await expect.element(list).toHaveTextContent('2 of 4 done');
  await page.getByRole('link', { name, exact: true }).click();
  expect(address()).toBe(target);
});

test('ticks itself, and says so once when all is done', async () => {
  open({ project: connected });
  await expect.element(list).toHaveTextContent('3 of 4 done');
  await goOn({ project: connected, days: sampleDays({ 0: { failed: 1 } }) });
  await expect.element(list).toHaveTextContent('3 of 4 done');
  await goOn({ project: connected, days: sampleDays({ 0: { sent: 1 } }) });
  await expect.element(allSet).toBeVisible();
  await expect.element(list).not.toBeInTheDocument();
  expect(localStorage.getItem('dovepost.first-steps.2')).toBe('closed');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(allSet).not.toBeInTheDocument();
});

test('after a message that reached nobody it goes on to a real number', async () => {
  localStorage.setItem('dovepost.first-steps.2', 'open');
  const sending = { ...connected.sending, connector: 'sandbox' } as const;
  const { address } = open({ project: { ...connected, sending }, days: sampleDays({ 0: { sent: 1 } }) });
  await expect.element(allSet).toBeVisible();
  await page.getByRole('link', { name: 'Connect WhatsApp' }).click();
  expect(address()).toBe('/projects/3/phone-numbers/connect');
});

test('a step done elsewhere is announced on the next visit, and not again', async () => {
  localStorage.setItem('dovepost.first-steps.2', 'open');
  open({ project: connected, days: sampleDays({ 0: { sent: 1 } }) });
  await expect.element(allSet).toBeVisible();
  expect(localStorage.getItem('dovepost.first-steps.2')).toBe('closed');
});

test('an account that is past all this sees nothing of it', async () => {
  const { requests } = open({ project: connected, days: sampleDays({ 5: { sent: 9 } }) });
  await expect.poll(() => localStorage.getItem('dovepost.first-steps.2')).toBe('closed');
  expect(requests.length).toBeGreaterThan(0);
  await expect.element(allSet).not.toBeInTheDocument();
  await expect.element(list).not.toBeInTheDocument();
});

test('once hidden it stays hidden, for this account alone', async () => {
  open({ project: created });
  await page.getByRole('button', { name: 'Hide the first steps' }).click();
  await expect.element(list).not.toBeInTheDocument();
  expect(localStorage.getItem('dovepost.first-steps.2')).toBe('closed');
  open({ project: created }, 3);
  await expect.element(list).toBeVisible();
});

test('a member who may make no project is told nothing of how the account was set up', async () => {
  open({ project: created });
  const membership = { ...sampleMembership(), role: 'agent', permissions: ['messages:send'] } as const;
  setCurrentUser({
    user: sampleUser(),
    subscription: sampleSubscription(),
    ...membership,
    permissions: [...membership.permissions],
  });
  await expect.element(page.getByRole('button', { name: 'News' })).toBeVisible();
  await expect.element(list).not.toBeInTheDocument();
});

test('where the facts cannot be loaded it makes room, and asks no more', async () => {
  startSession({ token: 'token', user: sampleUser({ created_at: new Date().toISOString() }) });
  onTestFinished(clearSession);
  const requests = answerRequests({
    'GET /api/messages/daily-counts': () => problem(422, 'invalid_input', 'The counts are resting'),
  });
  render(inRouter(<Page />).page);
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to load message counts');
  expect(requests.length).toBeLessThan(3);
  expect(localStorage.getItem('dovepost.first-steps.2')).toBeNull();
});
