import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { ConversationNote } from '#contracts/conversation-notes.ts';
import { problem, type Answer } from '#web/testing/answer-requests.ts';
import { sampleMessage } from '#web/testing/samples.ts';
import { composer, log, send, showInbox } from '../testing/inbox-scene.tsx';

beforeEach(async () => {
  localStorage.clear();
  await page.viewport(1440, 900);
});

const note = (changes: Partial<ConversationNote> = {}): ConversationNote => ({
  id: 7,
  conversation_id: 40,
  text: '@Tom Ashby please call her',
  author: { id: 9, name: 'Beatriz Moura' },
  mentions: [{ id: 8, name: 'Tom Ashby' }],
  created_at: sampleMessage().created_at,
  edited_at: null,
  ...changes,
});

const team = {
  'GET /api/conversations/assignees': () => ({
    body: {
      data: [
        { id: 8, name: 'Tom Ashby' },
        { id: 9, name: 'Beatriz Moura' },
      ],
    },
  }),
  'PUT /api/conversations/40/presence': () => ({ body: { others: [] } }),
};
const path = '/inbox?conversation=40';

test('notes stand in the thread, and say that they are not sent', async () => {
  showInbox({ path, messages: [sampleMessage()], notes: [note()] });
  const shown = log.getByRole('article', { name: 'Note by Beatriz Moura' });
  await expect.element(shown.getByText('Note, not sent')).toBeVisible();
  await expect.element(shown.getByText('@Tom Ashby')).toBeVisible();
});

test('a note is written with a mention that is chosen by keys, and nothing is sent', async () => {
  const { sent } = showInbox({
    path,
    messages: [sampleMessage()],
    answers: { ...team, 'POST /api/conversations/40/notes': () => ({ status: 201, body: note() }) },
  });
  await page.getByRole('button', { name: 'Note', exact: true }).click();
  const field = page.getByRole('textbox', { name: 'Note' });
  await field.click();
  await userEvent.keyboard('Look @to');
  await expect.element(page.getByRole('option', { name: 'Tom Ashby' })).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveValue('Look @Tom Ashby ');
  await userEvent.keyboard('today{Enter}');
  await expect.poll(() => sent('POST', '/notes').length).toBe(1);
  expect(await sent('POST', '/notes')[0]?.json()).toEqual({ text: 'Look @Tom Ashby today' });
  await expect.element(field).toHaveValue('');
  expect(sent('POST', '/messages')).toHaveLength(0);
});

test('a note that is refused stays, with the reason', async () => {
  showInbox({
    path,
    messages: [sampleMessage()],
    answers: { ...team, 'POST /api/conversations/40/notes': () => problem(422, 'invalid_input', 'No room left') },
  });
  await page.getByRole('button', { name: 'Note', exact: true }).click();
  const field = page.getByRole('textbox', { name: 'Note' });
  await field.fill('Call her');
  await page.getByRole('button', { name: 'Add note' }).click();
  await expect.element(page.getByText('No room left')).toBeVisible();
  await expect.element(field).toHaveValue('Call her');
});

test.each([
  ['more that is typed while a note is being added stays', false],
  ['a note whose conversation was left while it was being added is no draft', true],
])('%s', async (_, isLeft) => {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const { sent } = showInbox({
    path,
    messages: [sampleMessage()],
    answers: { ...team, 'POST /api/conversations/40/notes': () => promise },
  });
  await page.getByRole('button', { name: 'Note', exact: true }).click();
  const field = page.getByRole('textbox', { name: 'Note' });
  await field.fill('Call her');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => sent('POST', '/notes').length).toBe(1);
  if (isLeft) {
    await page.getByRole('group', { name: 'What you write' }).getByRole('button', { name: 'Reply' }).click();
    await expect.element(composer).toBeVisible();
  } else await userEvent.keyboard(' Tomorrow');
  resolve({ status: 201, body: note() });
  if (isLeft) await expect.poll(() => localStorage.getItem('dovepost.drafts.0')).toBe('{}');
  else await expect.element(field).toHaveValue('Tomorrow');
});

test('a note that could not be added and was changed is another one', async () => {
  const { sent } = showInbox({
    path,
    messages: [sampleMessage()],
    answers: { ...team, 'POST /api/conversations/40/notes': () => problem(503, 'unavailable', 'Try again') },
  });
  await page.getByRole('button', { name: 'Note', exact: true }).click();
  const field = page.getByRole('textbox', { name: 'Note' });
  for (const text of ['Call her', 'Call her', 'Call him']) {
    const before = sent('POST', '/notes').length;
    await field.fill(text);
    await page.getByRole('button', { name: 'Add note' }).click();
    await expect.poll(() => sent('POST', '/notes').length).toBe(before + 1);
    await expect.element(page.getByRole('button', { name: 'Add note' })).toBeEnabled();
  }
  const [first, again, changed] = sent('POST', '/notes').map(({ headers }) => headers.get('idempotency-key'));
  expect(again).toBe(first);
  expect(changed).not.toBe(first);
});

const template = (id: number, name: string, message: string) => ({
  id,
  name,
  message,
  updated_at: '2026-11-20T10:00:00Z',
});

test('a slash opens the saved replies, which are searched, chosen by keys and filled with the contact’s values', async () => {
  const { sent } = showInbox({
    path,
    messages: [sampleMessage()],
    answers: {
      'GET /api/templates': (request) => {
        const search = new URL(request.url).searchParams.get('search') ?? '';
        const all = [
          template(1, 'Refund', 'Hi {name|there}, order {order} is refunded{custom_fields.note}.'),
          template(2, 'Return', 'Send it back, {name}'),
        ];
        return { body: { data: all.filter(({ name }) => name.toLowerCase().includes(search)), total: 2 } };
      },
    },
  });
  await composer.click();
  await userEvent.keyboard('/');
  await expect.element(page.getByRole('option', { name: /Return/ })).toBeVisible();
  await userEvent.keyboard('ref');
  await expect.element(page.getByRole('option', { name: /Return/ })).not.toBeInTheDocument();
  await userEvent.keyboard('{Enter}');
  await expect.element(composer).toHaveValue('Hi Ada Lindqvist, order 4821 is refunded.');
  await expect.element(page.getByText('Nothing is known for custom_fields.note')).toBeVisible();
  expect(sent('POST', '/messages')).toHaveLength(0);
  await composer.fill('/x');
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('listbox', { name: 'Saved replies' })).not.toBeInTheDocument();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => sent('POST', '/messages').length).toBe(1);
});

test('others who look and write are shown, and what is done here is told', async () => {
  const states: unknown[] = [];
  showInbox({
    path,
    messages: [sampleMessage()],
    answers: {
      ...team,
      'PUT /api/conversations/40/presence': async (request) => {
        states.push(await request.json());
        return {
          body: {
            others: [
              { id: 9, name: 'Beatriz Moura', state: 'looking' },
              { id: 8, name: 'Tom Ashby', state: 'writing' },
            ],
          },
        };
      },
    },
  });
  await expect.element(page.getByRole('img', { name: 'Tom Ashby is writing, Beatriz Moura is looking' })).toBeVisible();
  await expect.element(page.getByText('Tom Ashby is writing')).toBeVisible();
  await composer.fill('Hello');
  await expect.poll(() => states).toContainEqual({ state: 'writing' });
});

test('an answer that somebody else gave meanwhile is told before one’s own is sent', async () => {
  // The page keeps the ids of what it has sent, also from test to test.
  const messages = [
    sampleMessage({ id: 9101 }),
    sampleMessage({ id: 9100, direction: 'outgoing', source: 'inbox', status: 'sent', message: 'Before' }),
  ];
  const { sent, queryClient } = showInbox({ path, messages });
  await expect.element(log.getByText('Before')).toBeVisible();
  await composer.fill('We have twelve');
  messages.unshift(
    sampleMessage({ id: 9102, direction: 'outgoing', source: 'inbox', status: 'sent', message: 'All gone' }),
  );
  await queryClient.invalidateQueries();
  await expect.element(page.getByRole('alert').getByText('Somebody answered while you were writing.')).toBeVisible();
  await send.click();
  const question = page.getByRole('alertdialog', { name: 'Send it all the same?' });
  await expect.element(question.getByText(/All gone/)).toBeVisible();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect.element(composer).toHaveValue('We have twelve');
  expect(sent('POST', '/messages')).toHaveLength(0);
  await send.click();
  await question.getByRole('button', { name: 'Send anyway' }).click();
  await expect.poll(() => sent('POST', '/messages').length).toBe(1);
  expect(await sent('POST', '/messages')[0]?.json()).toEqual({ message: 'We have twelve', seen_up_to: 9102 });
  await expect.element(composer).toHaveValue('');
});
