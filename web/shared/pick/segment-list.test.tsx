import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerRequests, type Answer } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { SegmentList } from './segment-list.tsx';

const segment = (id: number, name: string) => ({ id, name });

test('each segment says how many people it has, also where one of them cannot be counted', async () => {
  const chosen: string[] = [];
  const requests = answerRequests({
    'GET /api/segments': () => ({
      body: { data: [segment(1, 'Lisbon'), segment(2, 'Porto')], total: 2, page: 1, pageSize: 50 },
    }),
    'GET /api/segments/counts': () => ({
      body: {
        data: [
          { id: 1, count: 1250, counted_at: '2026-11-25T10:00:00Z', days: [] },
          { id: 2, count: null, counted_at: null, days: [] },
        ],
      },
    }),
  });
  render(<SegmentList chosenId={undefined} onChoose={({ name }) => chosen.push(name)} />);
  await expect.element(page.getByRole('option', { name: 'Lisbon' })).toHaveTextContent('1,250');
  await expect.element(page.getByRole('option', { name: 'Porto' })).toHaveTextContent('could not be counted');
  const counted = requests.map(({ url }) => new URL(url)).filter(({ pathname }) => pathname.endsWith('/counts'));
  expect(counted.map(({ searchParams }) => searchParams.get('ids'))).toEqual(['1,2']);
  await page.getByRole('option', { name: 'Porto' }).click();
  expect(chosen).toEqual(['Porto']);
});

test('Enter, pressed before the search is answered, takes no segment that was not looked for', async () => {
  const chosen: string[] = [];
  const found = Promise.withResolvers<Answer>();
  answerRequests({
    'GET /api/segments': ({ url }) =>
      (new URL(url).searchParams.get('search') ?? '') === ''
        ? { body: { data: [segment(1, 'Everybody'), segment(2, 'Trial customers')], total: 2, page: 1, pageSize: 50 } }
        : found.promise,
    'GET /api/segments/counts': () => ({ body: { data: [] } }),
  });
  render(<SegmentList chosenId={undefined} onChoose={({ name }) => chosen.push(name)} />);
  await expect.element(page.getByRole('option', { name: 'Everybody' })).toBeVisible();
  await page.getByRole('combobox').click();
  await userEvent.keyboard('trial{Enter}');
  expect(chosen).toEqual(['Trial customers']);
  await userEvent.keyboard('x{Enter}');
  await expect.element(page.getByText('Searching...')).toBeVisible();
  expect(chosen).toEqual(['Trial customers']);
  found.resolve({ body: { data: [], total: 0, page: 1, pageSize: 50 } });
  await expect.element(page.getByText('No segment matches')).toBeVisible();
});
