import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { sampleDays } from '#web/testing/day-counts.ts';
import { render } from '#web/testing/render.tsx';
import { MessagesCard } from './messages-card.tsx';

function open(answer: () => Answer): Request[] {
  const requests = answerRequests({ 'GET /api/messages/daily-counts': answer });
  render(<MessagesCard />);
  return requests;
}

const answerDays = (...parameters: Parameters<typeof sampleDays>) => ({
  body: { data: sampleDays(...parameters), timezone: 'UTC' },
});
const busy = {
  3: { sent: 1600, delivered: 1504, failed: 13, received: 192 },
  0: { sent: 49, delivered: 42, failed: 3, received: 4 },
};

const group = page.getByRole('group', { name: 'Messages a day' });
const day = (name: RegExp) => group.getByRole('button', { name });
const tooltip = () => document.querySelector('.shadow-popover');

test('adds the days up and names each with its counts', async () => {
  open(() => answerDays(busy));
  await expect.element(page.getByRole('listitem').filter({ hasText: 'Sent' })).toHaveTextContent('Sent1,649');
  await expect.element(page.getByRole('listitem').filter({ hasText: 'Received' })).toHaveTextContent('Received196');
  expect(group.getByRole('button').elements()).toHaveLength(14);
  const name = 'Wednesday 18 November: 1,600 sent, 1,504 delivered, 13 failed, 192 received';
  await expect.element(group.getByRole('button', { name })).toBeVisible();
});

test('is one tab stop, in which the arrows go from day to day', async () => {
  open(() => answerDays(busy));
  await expect.element(group).toBeVisible();
  // Where another test left the pointer may be a bar, which would be shown instead.
  await page.getByRole('heading', { name: 'Messages' }).hover();
  (day(/21 November/).element() as HTMLElement).focus();
  await expect.element(page.getByText('Sat 21 November')).toBeVisible();
  await userEvent.keyboard('{ArrowRight}{ArrowLeft}{ArrowLeft}{ArrowLeft}');
  await expect.element(day(/18 November/)).toHaveFocus();
  expect(tooltip()?.textContent).toBe('Wed 18 NovemberSent1,600Delivered1,504Failed13Received192');
  await userEvent.keyboard('{Escape}');
  expect(tooltip()).toBeNull();
  await userEvent.keyboard('{Home}');
  await expect.element(day(/8 November/).first()).toHaveFocus();
  const stops = group
    .getByRole('button')
    .elements()
    .filter((button) => (button as HTMLElement).tabIndex === 0);
  expect(stops.map((button) => button.getAttribute('aria-label'))).toEqual([
    expect.stringMatching(/^Sunday 8 November/),
  ]);
});

test('shows the day under the pointer until it leaves', async () => {
  open(() => answerDays(busy));
  await day(/18 November/).hover();
  await expect.element(page.getByText('Wed 18 November')).toBeVisible();
  await page.getByRole('heading', { name: 'Messages' }).hover();
  await expect.element(page.getByText('Wed 18 November')).not.toBeInTheDocument();
});

test('a tooltip stays inside the card and beside its day', async () => {
  await page.viewport(358, 700);
  open(() => answerDays(busy));
  for (const name of [/ 8 November/, /14 November/, /15 November/, /21 November/]) {
    await day(name).first().click();
    const box = tooltip()?.getBoundingClientRect() ?? new DOMRect();
    const column = day(name).first().element().getBoundingClientRect();
    expect(box.left).toBeGreaterThanOrEqual(0);
    expect(box.right).toBeLessThanOrEqual(358);
    expect(box.left >= column.right || box.right <= column.left).toBe(true);
  }
  await page.viewport(1280, 800);
});

test('shows the same as a table, the newest day first', async () => {
  await page.viewport(1280, 800);
  open(() => answerDays(busy));
  await page.getByRole('button', { name: 'Show as table' }).click();
  const rows = page.getByRole('table', { name: 'Messages a day' }).getByRole('row');
  await expect.element(rows.nth(1)).toHaveTextContent('Saturday 21 November494234');
  await expect.element(rows.nth(4)).toHaveTextContent('Wednesday 18 November1,6001,50413192');
  expect(rows.elements()).toHaveLength(15);
  await page.getByRole('button', { name: 'Show as chart' }).click();
  await expect.element(group).toBeVisible();
});

test('says so where there was nothing', async () => {
  open(() => answerDays());
  await expect.element(page.getByText('No messages in 14 days')).toBeVisible();
  await expect.element(group).not.toBeInTheDocument();
});

test('shows a failure and tries again', async () => {
  let answer: Answer = problem(422, 'invalid_input', 'The counts are resting');
  open(() => answer);
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to load message counts');
  answer = answerDays(busy);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(group).toBeVisible();
});

test.each([
  [Intl.DateTimeFormat().resolvedOptions().timeZone, 'Last 14 days'],
  ['Pacific/Chatham', 'Last 14 days, Pacific/Chatham'],
])('the days of %s are named %s', async (timezone, text) => {
  open(() => ({ body: { data: sampleDays(busy), timezone } }));
  await expect.element(group).toBeVisible();
  await expect.element(page.getByText(text, { exact: true })).toBeVisible();
});
