import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Project } from '#contracts/projects.ts';
import { clearSession, setCurrentProject, setSubscription, startSession } from '#web/shared/session.ts';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { sampleDays } from '#web/testing/day-counts.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleProject, sampleSubscription, sampleUser } from '#web/testing/samples.ts';
import { DashboardPage } from './dashboard-page.tsx';

function open(answer: () => Answer): { address: () => string } {
  answerRequests({
    'GET /api/projects': answer,
    'GET /api/projects/3/phone-numbers': () => ({ body: { data: [] } }),
    'GET /api/messages': () => ({ body: { data: [], profiles: [], next_cursor: null } }),
    'GET /api/messages/daily-counts': () => ({
      body: { data: sampleDays({ 0: { sent: 3 } }), timezone: 'UTC' },
    }),
  });
  startSession({ token: 'token', user: sampleUser() });
  setSubscription(sampleSubscription());
  // As the frame around the page does.
  setCurrentProject(3);
  onTestFinished(clearSession);
  const { page: element, address } = inRouter(<DashboardPage />);
  render(element);
  return { address };
}

const withProjects = (...projects: Project[]) => open(() => ({ body: { data: projects } }));
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

const activity = page.getByRole('region', { name: 'Recent Activity' });
const actions = page.getByRole('region', { name: 'Quick Actions' });
const create = actions.getByRole('button', { name: 'Create New Project' });

test('says that its data could not be loaded, and tries again when asked', async () => {
  let isRefused = true;
  open(() => (isRefused ? problem(500, 'unexpected', '') : { body: { data: [] } }));
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to load dashboard data');
  isRefused = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByText('No Connected Projects')).toBeVisible();
});

test('without a project one can be created', async () => {
  const { address } = withProjects();
  await expect.element(activity).toHaveTextContent('Your projects will show up here.');
  await create.click();
  expect(address()).toBe('/projects/new');
});

test('with a project no other can be created, and all are a step away', async () => {
  const { address } = withProjects(sampleProject());
  await expect.element(create).toBeDisabled();
  await expect.element(create).toHaveAccessibleDescription('Your plan includes one project.');
  await actions.getByRole('button', { name: 'View All Projects' }).click();
  expect(address()).toBe('/projects');
});

test('the five newest projects are Connected or Created', async () => {
  const names = ['Ash', 'Birch', 'Cedar', 'Elm', 'Fir', 'Oak'];
  const projects = names.map((name, days) =>
    sampleProject({ id: days + 3, name, is_connected: days % 2 === 0, created_at: daysAgo(days + 1) }),
  );
  withProjects(...projects.toReversed());
  await expect.element(activity.getByRole('link')).toHaveLength(5);
  const rows = activity
    .getByRole('link')
    .elements()
    .map((link) => link.textContent);
  expect(rows).toEqual([
    expect.stringMatching(/Ash1d agoConnected$/),
    expect.stringMatching(/Birch2d agoCreated$/),
    expect.stringMatching(/Cedar3d agoConnected$/),
    expect.stringMatching(/Elm4d agoCreated$/),
    expect.stringMatching(/Fir5d agoConnected$/),
  ]);
});
