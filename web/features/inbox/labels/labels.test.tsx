import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { ConversationLabel } from '#contracts/conversation-labels.ts';
import { sampleConversation, sampleMessage } from '#web/testing/samples.ts';
import { list, showInbox } from '../testing/inbox-scene.tsx';

beforeEach(async () => {
  localStorage.clear();
  await page.viewport(1440, 900);
});

const label = (id: number, name: string, color: ConversationLabel['color']): ConversationLabel => ({
  id,
  name,
  color,
  open_count: 1,
  created_at: '2026-11-20T10:00:00.000Z',
});
const labels = [label(1, 'Delivery', 'blue'), label(2, 'Refund', 'red')];

test('a row shows the labels of its conversation, and the list is narrowed to one', async () => {
  const { sent, address } = showInbox({
    labels,
    conversations: [sampleConversation({ id: 40, name: 'Ada Lindqvist', labels: ['Delivery', 'Refund'] })],
  });
  await expect.element(list.getByText('Delivery')).toBeVisible();
  await page.getByRole('button', { name: 'Label', exact: true }).click();
  await page.getByRole('option', { name: 'Delivery' }).click();
  await expect.poll(() => address()).toContain('label=Delivery');
  await expect
    .poll(() => sent('GET', '/api/conversations').map(({ url }) => new URL(url).searchParams.get('label')))
    .toContain('Delivery');
});

test('the open conversation gets a label that is typed, and loses one that is chosen again', async () => {
  const { sent } = showInbox({
    path: '/inbox?conversation=40',
    labels,
    detail: { labels: ['Delivery'] },
    messages: [sampleMessage()],
  });
  await page.getByRole('button', { name: 'Change labels' }).click();
  await userEvent.keyboard('VIP{Enter}');
  await expect.poll(() => sent('PATCH', '/40').length).toBeGreaterThan(0);
  const bodies = async () => Promise.all(sent('PATCH', '/40').map((request) => request.clone().json()));
  await expect.poll(bodies).toContainEqual({ labels: ['Delivery', 'VIP'] });
  await page.getByRole('option', { name: 'Delivery' }).click();
  await expect.poll(bodies).toContainEqual({ labels: [] });
});

test('labels that are chosen while an earlier one is being saved go with it', async () => {
  const held: (() => void)[] = [];
  const { sent } = showInbox({
    path: '/inbox?conversation=40',
    labels,
    detail: { unread_count: 0 },
    answers: {
      'PATCH /api/conversations/40': () =>
        new Promise((resolve) => held.push(() => resolve({ body: sampleConversation({ id: 40 }) }))),
    },
  });
  await page.getByRole('button', { name: 'Change labels' }).click();
  await page.getByRole('option', { name: 'Delivery' }).click();
  await page.getByRole('option', { name: 'Refund' }).click();
  await expect.poll(() => sent('PATCH', '/40').length).toBe(2);
  const before = sent('GET', '/40').length;
  held[0]?.();
  await expect.poll(() => sent('GET', '/40').length).toBeGreaterThan(before);
  await expect.element(page.getByRole('option', { name: 'Refund', checked: true })).toBeVisible();
  held[1]?.();
});

test('chosen conversations are labelled at once', async () => {
  const { sent } = showInbox({
    labels,
    answers: {
      'PATCH /api/conversations': () => ({ body: { changed_count: 2, missing_ids: [], failures: [] } }),
    },
  });
  await page.getByRole('button', { name: 'Select conversations' }).click();
  await list.getByRole('button', { name: 'Ada Lindqvist' }).click();
  await list.getByRole('button', { name: '+61 491 570 156' }).click();
  const bar = page.getByRole('toolbar', { name: 'Actions for 2 selected conversations' });
  await bar.getByRole('button', { name: 'Label' }).click();
  await page.getByRole('option', { name: 'Refund' }).click();
  await expect.element(page.getByText('2 conversations labelled Refund')).toBeVisible();
  expect(await sent('PATCH', '/api/conversations')[0]?.json()).toEqual({ ids: [40, 41], add_labels: ['Refund'] });
});

test('labels are renamed, coloured and deleted in their list', async () => {
  const { sent } = showInbox({
    path: '/inbox?conversation=40',
    labels,
    answers: {
      'PATCH /api/conversations/labels/1': () => ({ body: labels[0] }),
      'DELETE /api/conversations/labels/2': () => ({ status: 204 }),
    },
  });
  await page.getByRole('button', { name: 'Change labels' }).click();
  await page.getByRole('button', { name: 'Manage labels' }).click();
  await page.getByRole('textbox', { name: 'Name of Delivery' }).fill('Shipping');
  await userEvent.keyboard('{Enter}');
  await page.getByRole('combobox', { name: 'Colour of Delivery' }).selectOptions('Green');
  await page.getByRole('button', { name: 'Delete Refund' }).click();
  await page.getByRole('button', { name: 'Delete label' }).click();
  await expect.poll(() => sent('DELETE', '/labels/2').length).toBe(1);
  const bodies = await Promise.all(sent('PATCH', '/labels/1').map((request) => request.json()));
  expect(bodies).toEqual([{ name: 'Shipping' }, { color: 'green' }]);
});

test('Escape takes back the name that is being typed, and the list of labels stays; Enter keeps the place', async () => {
  const { sent } = showInbox({
    path: '/inbox?conversation=40',
    labels,
    answers: { 'PATCH /api/conversations/labels/1': () => ({ body: labels[0] }) },
  });
  await page.getByRole('button', { name: 'Change labels' }).click();
  await page.getByRole('button', { name: 'Manage labels' }).click();
  const name = page.getByRole('textbox', { name: 'Name of Delivery' });
  await name.fill('Shipping');
  await userEvent.keyboard('{Escape}');
  await expect.element(name).toHaveValue('Delivery');
  await name.fill('Shipping');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => sent('PATCH', '/labels/1').length).toBe(1);
  await expect.element(name).toHaveFocus();
  await expect.element(name).toHaveValue('Delivery');
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog', { name: 'Labels' })).not.toBeInTheDocument();
});
