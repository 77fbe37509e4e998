import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { sampleConversation, sampleMessage } from '#web/testing/samples.ts';
import { list, showInbox } from './testing/inbox-scene.tsx';

beforeEach(async () => {
  localStorage.clear();
  await page.viewport(1440, 900);
});

const assignees = [
  { id: 1, name: 'Maya Okafor' },
  { id: 2, name: 'Tom Ashby' },
];
const ada = sampleConversation({ id: 40, name: 'Ada Lindqvist', assigned_to: 2 });

const showTeam = (path: string, people = assignees) =>
  showInbox({
    path,
    conversations: [ada],
    detail: { assigned_to: 2 },
    messages: [sampleMessage()],
    answers: { 'GET /api/conversations/assignees': () => ({ body: { data: people } }) },
  });

test('a conversation shows who takes care of it, is handed over and given back', async () => {
  const { sent } = showTeam('/inbox?conversation=40');
  await expect.element(list.getByText('Assigned to Tom Ashby')).toBeInTheDocument();
  const changes = () => Promise.all(sent('PATCH', '/40').map((request) => request.clone().json()));
  const menu = page.getByRole('button', { name: 'Assigned to Tom Ashby', exact: true });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Maya Okafor' }).click();
  await expect.poll(changes).toContainEqual({ assigned_to: 1 });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Unassign' }).click();
  await expect.poll(changes).toContainEqual({ assigned_to: null });
});

test('the list is narrowed to mine and unassigned ones, with their counts', async () => {
  const { sent, address } = showTeam('/inbox');
  const asked = () => sent('GET', '/api/conversations').map(({ url }) => new URL(url).searchParams.get('assigned_to'));
  await page.getByRole('button', { name: 'Unassigned 2' }).click();
  await expect.poll(asked).toContain('none');
  await expect.poll(address).toContain('assigned=none');
  await page.getByRole('button', { name: 'Mine 0' }).click();
  await expect.poll(asked).toContain('me');
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await expect.poll(address).not.toContain('assigned');
});

test('a person who works alone is shown none of it', async () => {
  showTeam('/inbox?conversation=40', assignees.slice(0, 1));
  await expect.element(page.getByRole('heading', { name: 'Ada Lindqvist' }).first()).toBeVisible();
  await expect.element(page.getByRole('button', { name: /^Unassigned/ })).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: /^Assigned to/ })).not.toBeInTheDocument();
});
