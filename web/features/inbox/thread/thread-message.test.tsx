import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { problem } from '#web/testing/answer-requests.ts';
import { sampleMessage } from '#web/testing/samples.ts';
import { log, showInbox } from '../testing/inbox-scene.tsx';

beforeEach(async () => {
  localStorage.clear();
  await page.viewport(1440, 900);
});

const path = '/inbox?conversation=40';

test('a reaction shows at once, names its message, and is taken back by the same way', async () => {
  const { sent } = showInbox({ path, messages: [sampleMessage({ id: 101 })] });
  await log.getByRole('button', { name: 'React' }).click();
  await page.getByRole('button', { name: 'React with 🙏' }).click();
  const own = log.getByRole('button', { name: 'Your reaction 🙏: take it back' });
  await expect.element(own).toBeVisible();
  await own.click();
  await expect.element(own).not.toBeInTheDocument();
  await expect.poll(() => sent('POST', '/40/messages').length).toBe(2);
  const bodies = await Promise.all(sent('POST', '/40/messages').map((request) => request.json()));
  expect(bodies).toEqual([
    { type: 'reaction', reaction: { message_id: 101, emoji: '🙏' } },
    { type: 'reaction', reaction: { message_id: 101, emoji: '' } },
  ]);
});

test('a reaction that is refused goes, with the reason', async () => {
  const reply = () => problem(409, 'phones_limited', 'WhatsApp restricts the phone');
  showInbox({ path, messages: [sampleMessage()], reply });
  await log.getByRole('button', { name: 'React' }).click();
  await page.getByRole('button', { name: 'React with 👍' }).click();
  await expect.element(page.getByText('WhatsApp restricts the phone')).toBeVisible();
  await expect.element(log.getByText('Reactions:')).not.toBeInTheDocument();
});

test('a message is forwarded to the conversations that are chosen; one that is refused stays, with its reason', async () => {
  let refuses = true;
  const { sent } = showInbox({
    path,
    messages: [sampleMessage({ id: 101, message: 'The address is Rua 1' })],
    answers: {
      'POST /api/conversations/41/messages': () =>
        refuses ? problem(409, 'opted_out', 'This number has opted out') : { status: 201, body: sampleMessage() },
    },
  });
  await log.getByRole('button', { name: 'Forward' }).click();
  const dialog = page.getByRole('dialog', { name: 'Forward message' });
  await expect.element(dialog.getByRole('button', { name: 'Forward' })).toBeDisabled();
  await dialog.getByRole('option', { name: 'Ada Lindqvist' }).click();
  await dialog.getByRole('option', { name: '+61' }).click();
  await dialog.getByRole('button', { name: 'Forward' }).click();
  await expect.element(dialog.getByText('This number has opted out')).toBeVisible();
  await expect.element(page.getByText('Forwarded to 1 conversation')).toBeVisible();
  refuses = false;
  await dialog.getByRole('button', { name: 'Forward' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  const bodies = await Promise.all(sent('POST', '/messages').map((request) => request.json()));
  expect(bodies).toEqual(Array.from({ length: 3 }, () => ({ forward: { message_id: 101 } })));
  const [first, second] = sent('POST', '/41/messages').map(({ headers }) => headers.get('idempotency-key'));
  expect(first).toBe(second);
});

test('a quote leads to the message that it answers, however far up', async () => {
  const messages = Array.from({ length: 80 }, (_, index) =>
    sampleMessage({ id: 200 - index, message: `Message ${200 - index}`, ...(index === 0 && { reply_to: 125 }) }),
  );
  showInbox({ path, messages });
  await expect.element(log.getByText('Message 200', { exact: true })).toBeInViewport();
  await log.getByTitle('Show the message').click();
  await expect.element(log.getByText('Message 125', { exact: true })).toBeInViewport();
});

test('a message that went out is edited while there is time, and deleted for everybody', async () => {
  const at = new Date(Date.now() - 3 * 60_000).toISOString();
  const own = sampleMessage({ id: 101, direction: 'outgoing', status: 'sent', message: 'See you at 8', sent_at: at });
  const { sent } = showInbox({
    path,
    messages: [own],
    answers: {
      'PATCH /api/messages/101': () => ({ body: { ...own, message: 'See you at 9', edited_at: at } }),
      'DELETE /api/messages/101': () => ({ body: { ...own, deleted_at: at } }),
    },
  });
  await log.getByRole('button', { name: 'Change' }).click();
  await page.getByRole('menuitem', { name: 'Edit (12 min left)' }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill('See you at 9');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.element(log.getByText('See you at 9')).toBeVisible();
  expect(await sent('PATCH', '/messages/101')[0]?.json()).toEqual({ message: 'See you at 9' });
  await log.getByRole('button', { name: 'Change' }).click();
  await page.getByRole('menuitem', { name: 'Delete for everybody' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.element(log.getByText('This message was deleted')).toBeVisible();
});

test('a poll goes out with an option a line', async () => {
  const { sent } = showInbox({ path, messages: [] });
  await page.getByRole('button', { name: 'Send a poll' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Question' }).fill('Which colour?');
  await dialog.getByRole('textbox', { name: 'Options' }).fill('Red\n\nBlue\n');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(() => sent('POST', '/40/messages').length).toBe(1);
  expect(await sent('POST', '/40/messages')[0]?.json()).toEqual({
    type: 'poll',
    poll: { question: 'Which colour?', options: ['Red', 'Blue'], multiple: false },
  });
});
