import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { samplePhone, sampleProject } from '#web/testing/samples.ts';
import { PhonesToday } from './phones-today.tsx';

function open(phones: readonly PhoneNumber[]): { address: () => string } {
  answerRequests({ 'GET /api/projects/3/phone-numbers': () => ({ body: { data: phones } }) });
  const { page: element, address } = inRouter(<PhonesToday project={sampleProject()} />);
  render(element);
  return { address };
}

const used = (id: number, count: number, name: string | null = `Phone ${id}`) =>
  samplePhone({ id, name, daily_message_count: count, max_daily_messages: 1000 });

test('the fullest phone comes first, each with its number and its use', async () => {
  open([used(1, 100), used(2, 950), used(3, 700)]);
  const rows = page.getByRole('listitem');
  await expect.element(rows.nth(0)).toHaveTextContent('Phone 2+61 491 570 006950 / 1,000');
  await expect.element(rows.nth(1)).toHaveTextContent('Phone 3+61 491 570 006700 / 1,000');
  await expect.element(rows.nth(2)).toHaveTextContent('Phone 1+61 491 570 006100 / 1,000');
  const colors = ['text-red-ink', 'text-yellow-ink', 'text-green-ink'];
  for (const [index, color] of colors.entries()) {
    expect(rows.nth(index).element().querySelector(`.${color}`)).not.toBeNull();
  }
});

test('a phone without a name goes by its number', async () => {
  open([used(1, 5, null)]);
  await expect.element(page.getByRole('listitem')).toHaveTextContent(/^\+61 491 570 0065 \/ 1,000$/);
});

test('of many, the six fullest, and the way to all', async () => {
  const { address } = open(Array.from({ length: 9 }, (_, index) => used(index + 1, index)));
  await expect.element(page.getByRole('listitem').first()).toHaveTextContent('Phone 9');
  expect(page.getByRole('listitem').elements()).toHaveLength(6);
  await page.getByRole('link', { name: 'View all 9 phone numbers' }).click();
  expect(address()).toBe('/projects/3/phone-numbers');
});

test('says so where there are none', async () => {
  open([]);
  await expect.element(page.getByText('No phone numbers yet')).toBeVisible();
});
