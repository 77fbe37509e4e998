import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { permissionsOf } from '#contracts/roles.ts';
import { clearSession, setCurrentUser } from '#web/shared/session.ts';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import {
  plainContext,
  sampleConversation,
  sampleMembership,
  sampleMessage,
  sampleSubscription,
  sampleUser,
} from '#web/testing/samples.ts';
import { InboxPage } from './inbox-page.tsx';
import { composer, list, log, send, showInbox } from './testing/inbox-scene.tsx';

beforeEach(async () => {
  localStorage.clear();
  await page.viewport(1440, 900);
});

test('the list shows who wrote, and what is unread; a person without a name by the number', async () => {
  showInbox();
  await expect.element(list.getByText('Ada Lindqvist')).toBeVisible();
  await expect.element(list.getByText('2 unread')).toBeVisible();
  await expect.element(list.getByText('+61 491 570 156')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Unread 1' })).toBeVisible();
});

test('the list shows mentions by the names of contacts, else as numbers', async () => {
  const context = { ...plainContext, mentions: ['61491570157', '61491570158'] };
  const last = sampleMessage({ message: 'Ask @61491570157 or @61491570158', context });
  const conversations = [sampleConversation({ id: 40, name: 'Ada Lindqvist', last_message: last })];
  showInbox({ conversations, mentioned: [{ person: '61491570157', name: 'Ana Lima' }] });
  await expect.element(page.getByText('Ask @Ana Lima or @+61 491 570 158')).toBeVisible();
});

test('a row says for how long a number of the official API may answer freely, and that it may no longer', async () => {
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const of = (id: number, minutes: number) =>
    sampleConversation({ id, name: `Ada ${id}`, window_expires_at: inMinutes(minutes) });
  showInbox({ conversations: [of(1, 38.5), of(2, 5 * 60 + 12), of(3, -1), sampleConversation({ id: 4, name: 'Bo' })] });
  const row = (name: string) => list.getByRole('button', { name });
  await expect.element(row('Ada 1')).toHaveTextContent('Can be answered freely for 38 min');
  await expect.element(row('Ada 2')).toHaveTextContent('Can be answered freely for 5 h');
  await expect.element(row('Ada 3')).toHaveTextContent('Window shut');
  await expect.element(row('Bo')).not.toHaveTextContent(/Window|freely/);
});

test('messages that are seen are marked as read, up to the last one that came', async () => {
  const { sent } = showInbox({
    path: '/inbox?conversation=40',
    messages: [sampleMessage({ id: 101, message: 'Hi *there*' })],
  });
  await expect.element(log.getByText('there')).toBeVisible();
  await expect.poll(() => sent('PATCH', '/40').length).toBeGreaterThan(0);
  expect(await sent('PATCH', '/40')[0]?.json()).toEqual({ read: true, read_up_to: 101 });
});

test('a reply shows at once, and the message takes its place', async () => {
  const answer = Promise.withResolvers<Answer>();
  showInbox({ path: '/inbox?conversation=40', messages: [sampleMessage()], reply: () => answer.promise });
  await composer.fill('On its way');
  await userEvent.keyboard('{Enter}');
  await expect.element(log.getByText('On its way')).toBeVisible();
  await expect.element(log.getByText('Pending')).toBeInTheDocument();
  await expect.element(composer).toHaveValue('');
  const message = sampleMessage({
    id: 102,
    direction: 'outgoing',
    source: 'inbox',
    status: 'sent',
    message: 'On its way',
  });
  answer.resolve({ status: 201, body: message });
  await expect.element(log.getByText('Pending')).not.toBeInTheDocument();
  expect(log.getByText('On its way').elements()).toHaveLength(1);
});

function asksBeforeReload(): boolean {
  const leaving = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(leaving);
  return leaving.defaultPrevented;
}

test('a reply that is refused says why in its place, and goes again under the same key', async () => {
  let isRefused = true;
  const { sent } = showInbox({
    path: '/inbox?conversation=40',
    messages: [sampleMessage()],
    reply: () =>
      isRefused
        ? problem(409, 'phones_limited', 'WhatsApp restricts the phone for now')
        : { status: 201, body: sampleMessage({ id: 103, direction: 'outgoing', message: 'Later' }) },
  });
  await composer.fill('Later');
  await send.click();
  await expect.element(page.getByText('Not sent. WhatsApp restricts the phone for now')).toBeVisible();
  // A reload would lose it.
  expect(asksBeforeReload()).toBe(true);
  isRefused = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByText(/Not sent/)).not.toBeInTheDocument();
  expect(asksBeforeReload()).toBe(false);
  const keys = sent('POST', '/messages').map(({ headers }) => headers.get('idempotency-key'));
  expect(keys).toEqual([keys[0], keys[0]]);
  expect(keys[0]).toBeTruthy();
});

test('a phone that cannot send says why, and nothing can be sent', async () => {
  const sending = {
    can_send: false,
    connector: null,
    reason: 'no_connected_phone',
    message: 'The phone number that this person wrote to is not connected',
    until: null,
  } as const;
  showInbox({ path: '/inbox?conversation=40', detail: { sending }, messages: [sampleMessage()] });
  await expect.element(page.getByText('The phone number that this person wrote to is not connected.')).toBeVisible();
  await composer.fill('Hello');
  await expect.element(send).toBeDisabled();
});

test('somebody who opted out is written to only when that is meant', async () => {
  const { sent } = showInbox({
    path: '/inbox?conversation=40',
    detail: { opted_out: true },
    messages: [sampleMessage()],
  });
  await composer.fill('Your receipt');
  await expect.element(send).toBeDisabled();
  await page.getByRole('checkbox', { name: 'Send this one all the same' }).click();
  await send.click();
  await expect.poll(() => sent('POST', '/messages').length).toBe(1);
  expect(await sent('POST', '/messages')[0]?.json()).toEqual({
    message: 'Your receipt',
    override_opt_out: true,
    seen_up_to: sampleMessage().id,
  });
});

test('somebody who may want to opt out does with one button, or the mark is dismissed', async () => {
  const { sent } = showInbox({
    path: '/inbox?conversation=40',
    conversations: [sampleConversation({ id: 40, name: 'Ada Lindqvist', may_want_to_opt_out: true })],
    detail: { may_want_to_opt_out: true },
    messages: [sampleMessage({ message: 'Please stop' })],
    answers: { 'POST /api/suppressions': () => ({ status: 201, body: {} }) },
  });
  await expect.element(list.getByText('May want to opt out.')).toBeInTheDocument();
  const mark = page.getByRole('group', { name: 'May want to opt out' });
  await mark.getByRole('button', { name: 'Opt out' }).click();
  await expect.poll(() => sent('POST', '/api/suppressions').length).toBe(1);
  const { phone } = sampleConversation();
  expect(await sent('POST', '/api/suppressions')[0]?.json()).toEqual({ phone: `+${phone}` });
  await mark.getByRole('button', { name: 'Dismiss' }).click();
  const dismissals = async () =>
    (await Promise.all(sent('PATCH', '/40').map((request) => request.clone().json()))).filter(
      (body: object) => 'may_want_to_opt_out' in body,
    );
  await expect.poll(dismissals).toEqual([{ may_want_to_opt_out: false }]);
});

test('a person who hides the number is answered, and asked for it with one button', async () => {
  const hidden = { name: 'Ada Lindqvist', phone: null, lid: '99887766554433', profile_id: null };
  const { sent } = showInbox({
    path: '/inbox?conversation=40',
    conversations: [sampleConversation({ id: 40, ...hidden })],
    detail: hidden,
    messages: [sampleMessage({ message: 'Who am I?' })],
  });
  await page.getByRole('button', { name: 'Ask for the number' }).click();
  await expect.poll(() => sent('POST', '/messages').length).toBe(1);
  expect(await sent('POST', '/messages')[0]?.json()).toMatchObject({ type: 'number_request' });
  await composer.fill('You are Ada');
  await expect.element(send).toBeEnabled();
});

test('typed text is restored, and profile values are inserted as they read', async () => {
  showInbox({ messages: [sampleMessage()] });
  await list.getByText('Ada Lindqvist').click();
  await composer.fill('Order ');
  await page.getByRole('button', { name: 'Insert what is known of this person' }).click();
  await page.getByRole('menuitem', { name: 'order: 4821' }).click();
  await expect.element(composer).toHaveValue('Order 4821');
  await list.getByText('+61 491 570 156').click();
  await expect.element(composer).toHaveValue('');
  await list.getByText('Ada Lindqvist').click();
  await expect.element(composer).toHaveValue('Order 4821');
});

test('the keyboard goes through conversations, answers, searches and leaves', async () => {
  const { address } = showInbox({ messages: [sampleMessage()] });
  await expect.element(list.getByText('Ada Lindqvist')).toBeVisible();
  await userEvent.keyboard('j');
  await expect.poll(address).toContain('conversation=40');
  await userEvent.keyboard('j');
  await expect.poll(address).toContain('conversation=41');
  await userEvent.keyboard('k');
  await expect.poll(address).toContain('conversation=40');
  await expect.element(composer).toBeVisible();
  await userEvent.keyboard('r');
  await expect.element(composer).toHaveFocus();
  await userEvent.keyboard('jk');
  await expect.element(composer).toHaveValue('jk');
  await userEvent.keyboard('{Escape}');
  await userEvent.keyboard('/');
  await expect.element(page.getByRole('searchbox', { name: /^Search names/ })).toHaveFocus();
  await userEvent.keyboard('{Escape}{Escape}');
  await expect.poll(address).not.toContain('conversation');
});

test('e marks the conversation as done, and goes on to the next; undo opens it again', async () => {
  const { sent, address } = showInbox({ path: '/inbox?conversation=40' });
  await expect.element(composer).toBeVisible();
  await expect.element(list.getByText('Ada Lindqvist')).toBeVisible();
  await userEvent.keyboard('e');
  await expect.poll(() => sent('PATCH', '/40').length).toBe(1);
  expect(await sent('PATCH', '/40')[0]?.json()).toEqual({ status: 'done', read: true });
  await expect.poll(address).toContain('conversation=41');
  await expect.element(page.getByText('Ada Lindqvist is done')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => sent('PATCH', '/40').length).toBe(2);
  expect(await sent('PATCH', '/40')[1]?.json()).toEqual({ status: 'open' });
});

test('the keys wait while something is asked', async () => {
  const own = sampleMessage({ direction: 'outgoing', status: 'sent', sent_at: new Date().toISOString() });
  const { sent, address } = showInbox({ path: '/inbox?conversation=40', messages: [own] });
  await expect.element(list.getByText('Ada Lindqvist')).toBeVisible();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete for everybody' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete this message for everybody?' });
  await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await userEvent.keyboard('ej');
  await userEvent.keyboard('{Escape}');
  await expect.element(question).not.toBeInTheDocument();
  expect(address()).toContain('conversation=40');
  expect(sent('PATCH', '/40')).toEqual([]);
});

test('a member whose role writes nothing reads alone', async () => {
  setCurrentUser({
    user: sampleUser(),
    subscription: sampleSubscription(),
    ...sampleMembership(),
    role: 'viewer',
    permissions: permissionsOf({ role: 'viewer', projectIds: null }),
  });
  onTestFinished(clearSession);
  const { sent } = showInbox({
    path: '/inbox?conversation=40',
    messages: [sampleMessage({ message: 'Hello there' })],
    detail: { snoozed_until: '2099-01-01T09:00:00.000Z', unread_count: 1 },
  });
  await expect.element(log.getByText('Hello there')).toBeVisible();
  await expect.element(page.getByText('Your role in this account does not allow this')).toBeVisible();
  for (const name of ['Mark as done', 'Bring back'])
    await expect.element(page.getByRole('button', { name })).toBeDisabled();
  for (const name of ['React', 'Reply', 'Forward', 'Snooze', 'New message', 'More actions', 'Send'])
    await expect.element(page.getByRole('button', { name, exact: true })).not.toBeInTheDocument();
  await expect.element(composer).not.toBeInTheDocument();
  await userEvent.keyboard('e');
  expect(sent('PATCH', '/40')).toEqual([]);
});

test('where the change fails the conversation stays open', async () => {
  const failed = () => problem(500, 'internal', '');
  const { address } = showInbox({ path: '/inbox?conversation=40', answers: { 'PATCH /api/conversations/40': failed } });
  await expect.element(composer).toBeVisible();
  await userEvent.keyboard('e');
  await expect.element(page.getByRole('alert')).toHaveTextContent('The conversation was not changed');
  expect(address()).toContain('conversation=40');
});

test('a conversation is snoozed until a time that is offered or chosen, and brought back', async () => {
  const { sent, address } = showInbox({ path: '/inbox?conversation=40' });
  await page.getByRole('button', { name: 'Snooze', exact: true }).click();
  await page.getByRole('menuitem', { name: /^Next week/ }).click();
  await expect.poll(() => sent('PATCH', '/40').length).toBe(1);
  const asked = (await sent('PATCH', '/40')[0]?.json()) as { snoozed_until: string; read: boolean };
  expect(asked.read).toBe(true);
  expect(Date.parse(asked.snoozed_until)).toBeGreaterThan(Date.now() + 5 * 86_400_000);
  await expect.poll(address).toContain('conversation=41');
  await expect.element(page.getByText(/^Ada Lindqvist is snoozed until/)).toBeVisible();
});

test('a time of one\u2019s own has to be to come', async () => {
  const { sent } = showInbox({ path: '/inbox?conversation=40' });
  await page.getByRole('button', { name: 'Snooze', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Choose a day and time…' }).click();
  const field = page.getByLabelText('Day and time');
  await field.fill('2020-01-01T09:00');
  await page.getByRole('button', { name: 'Snooze', exact: true }).last().click();
  await expect.element(field).toHaveAccessibleDescription(/^Choose a time that is to come/);
  await field.fill('1/1/2099');
  await page.getByRole('button', { name: 'Snooze', exact: true }).last().click();
  await expect.poll(() => sent('PATCH', '/40').length).toBe(1);
});

test('a conversation that is snoozed says until when, and comes back with one click', async () => {
  const { sent } = showInbox({
    path: '/inbox?conversation=40&status=snoozed',
    detail: { snoozed_until: '2099-01-01T09:00:00.000Z' },
  });
  await expect.element(page.getByText(/^Snoozed until 1 Jan 2099/)).toBeVisible();
  await page.getByRole('button', { name: 'Bring back' }).click();
  await expect.poll(() => sent('PATCH', '/40').length).toBe(1);
  expect(await sent('PATCH', '/40')[0]?.json()).toEqual({ snoozed_until: null });
});

test('rows stand below each other in large text, too', async () => {
  document.documentElement.style.fontSize = '24px';
  onTestFinished(() => void document.documentElement.style.removeProperty('font-size'));
  showInbox();
  await expect.element(list.getByText('+61 491 570 156')).toBeVisible();
  const [first, second] = list
    .getByRole('button')
    .elements()
    .map((row) => row.getBoundingClientRect());
  expect(second?.top).toBeGreaterThanOrEqual(first?.bottom ?? Infinity);
});

test('without conversations it says when there will be some', async () => {
  showInbox({ conversations: [] });
  await expect.element(page.getByText('No conversations yet')).toBeVisible();
});

test('a search without a match offers to look through all', async () => {
  const { address } = showInbox({ path: '/inbox?search=wheelbarrow', conversations: [] });
  await expect.element(page.getByText('Nothing matches “wheelbarrow”')).toBeVisible();
  await page.getByRole('button', { name: 'Search all' }).click();
  await expect.poll(address).toContain('status=all');
});

test('on a phone, list and thread stand one at a time', async () => {
  await page.viewport(390, 844);
  showInbox({ messages: [sampleMessage()] });
  await list.getByText('Ada Lindqvist').click();
  await expect.element(composer).toBeVisible();
  await expect.element(list).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Back to conversations' }).click();
  await expect.element(list).toBeVisible();
});

test('projects that could not be loaded are told, and are not taken for none', async () => {
  let isDown = true;
  answerRequests({
    'GET /api/projects': () => (isDown ? problem(500, 'internal', 'The server failed') : { body: { data: [] } }),
  });
  render(inRouter(<InboxPage />, '/inbox').page);
  await expect.element(page.getByRole('alert')).toHaveTextContent('The server failed');
  expect(page.getByText('No project yet').elements()).toEqual([]);
  isDown = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByText('No project yet')).toBeVisible();
});
