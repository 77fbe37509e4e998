import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Suppression } from '#contracts/suppressions.ts';
import { answerRequests, problem } from '#web/testing/answer-requests.ts';
import type { Answer } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { AddNumberDialog } from './add-number-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { SuppressionsCard } from './suppressions-card.tsx';

const byReply: Suppression = {
  topic: '*',
  phone: '14155550123',
  opted_out_at: '2026-11-20T09:12:00.000Z',
  by: 'reply',
  evidence: { message_id: 7, text: 'STOP' },
  note: 'Called as well',
};
const byImport: Suppression = { ...byReply, phone: '4915155501973', by: 'import', evidence: null, note: null };

type Answers = Record<string, (request: Request) => Answer>;

function open(answers: Answers, path = '/settings/opt-out') {
  const requests = answerRequests(answers);
  const added: string[] = [];
  const { page: element, address } = inRouter(<SuppressionsCard onAdd={() => added.push('asked')} />, path);
  render(element);
  return { requests, added, address };
}

const list = (data: readonly Suppression[], next: string | null = null) => ({ body: { data, next_cursor: next } });
const card = page.getByRole('region', { name: 'Opted-out numbers' }).first();

test('the list says since when, how and why, and loads what follows', async () => {
  const { requests } = open({
    'GET /api/suppressions': ({ url }) =>
      new URL(url).searchParams.has('after') ? list([byImport]) : list([byReply], 'c2'),
  });
  await expect.element(card).toHaveTextContent(/\+1 415 555 0123.*20 Nov.*By reply.*“STOP” · Called as well/);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.element(card).toHaveTextContent(/\+49 1515 5501973.*By import/);
  await expect.element(page.getByRole('button', { name: 'Show more' })).not.toBeInTheDocument();
  expect(new URL(requests.at(-1)?.url ?? '').searchParams.get('after')).toBe('c2');
});

test('with nobody on it, it says how one comes there, and leads to adding a number', async () => {
  const { added } = open({ 'GET /api/suppressions': () => list([]) });
  await expect.element(page.getByText('Nobody has opted out')).toBeVisible();
  await page.getByRole('button', { name: 'Add Number' }).click();
  expect(added).toEqual(['asked']);
});

test('narrowed to nobody, it shows all again', async () => {
  const { address } = open({ 'GET /api/suppressions': () => list([]) }, '/settings/opt-out?by=reply');
  await page.getByRole('button', { name: 'Show all' }).click();
  expect(address()).toBe('/settings/opt-out');
});

test('a list that cannot be read says so', async () => {
  open({ 'GET /api/suppressions': () => problem(422, 'invalid_input', 'Not now') });
  await expect.element(page.getByText('Failed to fetch the list')).toBeVisible();
});

test('somebody is opted in again with a reason alone, which is sent', async () => {
  const { requests } = open({
    'GET /api/suppressions': () => list([byReply]),
    'DELETE /api/suppressions/14155550123': () => ({ body: null }),
  });
  const removals = () => requests.filter(({ method }) => method === 'DELETE');
  await page.getByRole('button', { name: /^Opt in again/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Write to +1 415 555 0123 again?' });
  await dialog.getByRole('button', { name: 'Opt in again' }).click();
  await expect.element(dialog).toHaveTextContent('Say why in a few words');
  expect(removals()).toEqual([]);
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Asked at the counter');
  await dialog.getByRole('button', { name: 'Opt in again' }).click();
  await expect.poll(() => removals().length).toBe(1);
  expect(new URL(removals()[0]?.url ?? '').searchParams.get('reason')).toBe('Asked at the counter');
});

test("a number's fault is said at the number", async () => {
  const errors = [{ path: 'phone', message: 'Invalid number' }];
  answerRequests({
    'POST /api/suppressions': () => ({
      status: 422,
      body: { message: 'Invalid number', code: 'invalid_input', errors, request_id: 'r1' },
    }),
  });
  render(<AddNumberDialog onClose={() => undefined} />);
  await page.getByRole('combobox', { name: 'Phone' }).fill('12345');
  await page.getByRole('button', { name: 'Add Number' }).click();
  await expect.element(page.getByRole('combobox', { name: 'Phone' })).toHaveAccessibleDescription(/Invalid number/);
});

test('a file is counted, with the lines that could not be read; what is no CSV is not sent', async () => {
  const rejected_lines = [{ line: 3, reason: 'Invalid number' }];
  const requests = answerRequests({
    'POST /api/suppressions/import': () => ({ body: { added: 1200, already: 4, rejected: 2, rejected_lines } }),
  });
  render(<ImportDialog onClose={() => undefined} />);
  const choose = async (name: string) =>
    userEvent.upload(page.getByLabelText(/CSV file/), new File(['phone\n+14155550123\n'], name));
  await choose('numbers.csv');
  const outcome = page.getByText('1,200 added, 4 had opted out before, 2 lines were not read');
  await expect.element(outcome).toBeVisible();
  await expect.element(page.getByText('Line 3: Invalid number')).toBeVisible();
  await expect.element(page.getByText('and 1 more')).toBeVisible();
  expect(requests).toHaveLength(1);
});
