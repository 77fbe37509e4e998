import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { sampleMessage, sampleProject } from '#web/testing/samples.ts';
import { noteOnline } from '#web/shared/online.ts';
import { noteTyping } from '#web/shared/typing.ts';
import { composer, list, showInbox } from '../testing/inbox-scene.tsx';

const scene = (typing_indicators: boolean) => ({
  path: '/inbox?conversation=40',
  messages: [sampleMessage({ id: 101, message: 'Hi' })],
  answers: {
    'GET /api/projects': () => ({ body: { data: [sampleProject({ typing_indicators })] } }),
    'PUT /api/conversations/40/typing': () => ({ status: 204 }),
  },
});

test('typing here is reported once in a while, and once more when it stops', async () => {
  await page.viewport(1440, 900);
  const { sent } = showInbox(scene(true));
  const words = () => Promise.all(sent('PUT', '/typing').map((request) => request.clone().json()));
  await expect.poll(words).toEqual([{ typing: false }]);
  await composer.fill('H');
  await composer.fill('Hello');
  await expect.poll(words).toEqual([{ typing: false }, { typing: true }]);
  await composer.fill('');
  await expect.poll(words).toEqual([{ typing: false }, { typing: true }, { typing: false }]);
});

test('where the project does not show it, nothing is told', async () => {
  const { sent } = showInbox(scene(false));
  await composer.fill('Hello');
  await expect.element(page.getByText('Hi', { exact: true })).toBeVisible();
  expect(sent('PUT', '/typing')).toEqual([]);
});

test('a person who types is shown so in the list and above the thread, until they stop', async () => {
  showInbox(scene(true));
  await expect.element(list.getByText('Ada Lindqvist')).toBeVisible();
  noteTyping(40, true);
  await expect.element(list.getByText('typing…')).toBeVisible();
  await expect.element(page.getByRole('status').filter({ hasText: 'typing…' })).toBeVisible();
  noteTyping(40, false);
  await expect.element(list.getByText('typing…')).not.toBeInTheDocument();
});

test('above the thread stands whether the person is online, and when they were last', async () => {
  await page.viewport(1440, 900);
  showInbox(scene(true));
  await expect.element(list.getByText('Ada Lindqvist')).toBeVisible();
  noteOnline(40, { isOnline: true, lastSeenAt: null });
  await expect.element(page.getByRole('status').filter({ hasText: 'online' })).toBeVisible();
  noteOnline(40, { isOnline: false, lastSeenAt: new Date(Date.now() - 5 * 60_000).toISOString() });
  await expect.element(page.getByText('last seen 5m ago')).toBeVisible();
  noteOnline(40, { isOnline: false, lastSeenAt: null });
  await expect.element(page.getByText('last seen')).not.toBeInTheDocument();
});
