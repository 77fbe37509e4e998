import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { setUser } from '#web/shared/session.ts';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleUser } from '#web/testing/samples.ts';
import { PricesPage } from './prices-page.tsx';

const german = {
  country: 'DE',
  category: 'marketing',
  currency: 'EUR',
  price: '0.1131',
  valid_from: '2026-01-01',
  valid_until: '2026-03-31',
};
const others = { ...german, country: '*', category: 'authentication_international', valid_until: null };

const list = (data: object[]) => ({ body: { data, total: data.length, page: 1, pageSize: 50 } });

function open(answers: Record<string, (request: Request) => Answer | Promise<Answer>>): Request[] {
  const requests = answerRequests(answers);
  setUser(sampleUser());
  render(inRouter(<PricesPage />, '/settings/prices').page);
  return requests;
}

beforeEach(() => page.viewport(1440, 1000));

test('lists each price with its country, its category and the days on which it holds', async () => {
  open({ 'GET /api/message-prices': () => list([german, others]) });
  const table = page.getByRole('table', { name: 'Prices' });
  await expect
    .element(table.getByRole('row', { name: /Germany/ }))
    .toHaveTextContent(/Marketing.*EUR 0\.1131.*1 Jan 2026.*31 Mar 2026/);
  await expect
    .element(table.getByRole('row', { name: /All other countries/ }))
    .toHaveTextContent(/Authentication international.*A later price/);
});

test('without a list it says that no price is known; an upload takes its place, and a fault names its line', async () => {
  const answers: Answer[] = [
    problem(422, 'invalid_csv', 'Line 3: a country is two letters, or * for all others'),
    { body: { prices: 1 } },
  ];
  const prices: object[] = [];
  const requests = open({
    'GET /api/message-prices': () => list(prices),
    'PUT /api/message-prices': () => answers.shift() ?? { body: { prices: 0 } },
  });
  await expect.element(page.getByText('No price known')).toBeVisible();
  await page.getByRole('button', { name: 'Upload price list' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Upload price list' });
  const input = dialog.getByLabelText(/Choose/);
  await input.upload(new File(['x'], 'prices.xlsx'));
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Please upload a .csv file');
  await input.upload(new File(['x'], 'prices.csv'));
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Line 3: a country is two letters');
  prices.push(german);
  await input.upload(new File(['country,category,currency,price'], 'prices.csv'));
  await expect.element(dialog).toHaveTextContent('The list has 1 price now');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect.element(page.getByRole('row', { name: /Germany/ })).toBeVisible();
  const put = requests.filter(({ method }) => method === 'PUT');
  expect(put.map(({ headers }) => headers.get('content-type'))).toEqual(['text/csv', 'text/csv']);
});

test('is downloaded as CSV, and narrowed by country and category', async () => {
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const requests = open({
    'GET /api/message-prices': () => list([german]),
    'GET /api/message-prices/export': () => ({ body: new Blob(['country']) }),
  });
  await page.getByRole('button', { name: 'Download CSV' }).click();
  await expect.poll(() => clicked.mock.contexts.length).toBe(1);
  expect((clicked.mock.contexts[0] as HTMLAnchorElement).download).toBe('message-prices.csv');
  clicked.mockRestore();
  await page.getByRole('button', { name: 'Category' }).click();
  await page.getByRole('option', { name: 'Utility' }).click();
  await expect
    .poll(() => requests.findLast(({ url }) => url.includes('/api/message-prices?'))?.url)
    .toContain('category=utility');
});

test('a list that cannot be loaded says so', async () => {
  open({ 'GET /api/message-prices': () => problem(503, 'too_costly', 'Try again in a moment.') });
  await expect.element(page.getByText('Failed to load the prices')).toBeVisible();
});
