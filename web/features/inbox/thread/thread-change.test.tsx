import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import type { ConversationChange } from '#contracts/conversation-changes.ts';
import { clearSession, startSession } from '#web/shared/session.ts';
import { formatTime } from '#web/shared/time-format.ts';
import { sampleMessage, sampleUser } from '#web/testing/samples.ts';
import { log, showInbox } from '../testing/inbox-scene.tsx';

beforeEach(async () => {
  localStorage.clear();
  await page.viewport(1440, 900);
});

const maya = { id: 2, name: 'Maya Okafor' };
const jonas = { id: 8, name: 'Jonas Weber' };
const at = sampleMessage().created_at;
const change = (id: number, changes: Partial<ConversationChange>): ConversationChange => ({
  id,
  conversation_id: 40,
  created_at: at,
  author: jonas,
  ...changes,
});

test('the thread says who gave the conversation to whom, put it aside and was done with it', async () => {
  startSession({ token: 'token', user: sampleUser({ id: maya.id, name: maya.name }) });
  onTestFinished(clearSession);
  const tomorrow = new Date(new Date().setHours(33, 0, 0, 0)).toISOString();
  showInbox({
    path: '/inbox?conversation=40',
    messages: [sampleMessage()],
    changes: [
      change(1, { assigned_to: maya }),
      change(2, { author: maya, snoozed_until: tomorrow, status: 'open' }),
      change(3, { author: maya, snoozed_until: null }),
      change(4, { assigned_to: jonas }),
      change(5, { author: null, assigned_to: null, status: 'done', snoozed_until: null }),
      change(6, { status: 'open' }),
    ],
  });
  for (const sentence of [
    'Jonas Weber gave it to you',
    'You snoozed it until tomorrow, 09:00',
    'You brought it back',
    'Jonas Weber took it',
    'A program gave it to nobody and marked it as done',
    'Jonas Weber opened it again',
  ]) {
    await expect.element(log.getByText(`${sentence} · ${formatTime(at)}`, { exact: true })).toBeVisible();
  }
});

test('a conversation that was given to somebody and has no message says that it has none', async () => {
  showInbox({ path: '/inbox?conversation=40', changes: [change(1, { assigned_to: jonas })] });
  await expect.element(page.getByText('No messages yet')).toBeVisible();
});
