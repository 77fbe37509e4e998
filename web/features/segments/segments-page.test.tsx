import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerRequests, problem } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleSegment } from '#web/testing/samples.ts';
import { SegmentsPage } from './segments-page.tsx';

test('the list is narrowed by what goes by the segments, and sorted by their growth', async () => {
  await page.viewport(1440, 900);
  const segment = sampleSegment();
  const requests = answerRequests({
    'GET /api/segments': () => ({ body: { data: [segment], total: 1, page: 1, pageSize: 50, next_cursor: null } }),
    'GET /api/segments/counts': () => ({ body: { data: [] } }),
    'GET /api/segments/usage': () => ({ body: { data: [] } }),
    'GET /api/saved-views': () => ({ body: { data: [] } }),
    'GET /api/drafts': () => ({ body: { data: [] } }),
  });
  const { page: element, address } = inRouter(<SegmentsPage />, '/segments');
  render(element);
  const asked = () =>
    requests
      .map(({ url }) => new URL(url))
      .findLast(({ pathname }) => pathname === '/api/segments')
      ?.searchParams.toString();

  await page.getByRole('button', { name: 'Used', exact: true }).click();
  await page.getByRole('option', { name: 'nowhere' }).click();
  await expect.poll(address).toBe('/segments?used_by=nowhere');
  await expect.poll(asked).toContain('used_by=nowhere');
  await expect.element(page.getByRole('button', { name: 'Used nowhere', exact: true })).toBeVisible();

  await page.getByRole('columnheader', { name: '30 days' }).getByRole('button').click();
  await expect.poll(asked).toContain('sort=growth');
  await page.getByRole('button', { name: /^Remove filter Used/ }).click();
  await expect.poll(asked).not.toContain('used_by');
});

test('a field is called as people call it, and its views stand beside the count', async () => {
  await page.viewport(1440, 900);
  const condition = { fieldPath: 'custom_fields.plan', operator: 'equals', value: 'trial' } as const;
  const segment = sampleSegment({ name: 'On trial', condition });
  answerRequests({
    'GET /api/segments': () => ({ body: { data: [segment], total: 1, page: 1, pageSize: 50, next_cursor: null } }),
    'GET /api/segments/counts': () => ({ body: { data: [] } }),
    'GET /api/segments/usage': () => ({ body: { data: [] } }),
    'GET /api/saved-views': () => ({ body: { data: [] } }),
    'GET /api/fields': () => ({
      body: {
        data: [
          { path: 'custom_fields.plan', label: 'Tariff' },
          { path: 'custom_fields.shop', label: null },
        ],
      },
    }),
  });
  render(inRouter(<SegmentsPage />, '/segments').page);
  await expect.element(page.getByRole('row', { name: /On trial/ })).toHaveTextContent('Tariff');
  const tools = page.getByRole('searchbox', { name: 'Search segments' }).element();
  const views = page.getByRole('button', { name: 'Views' }).element();
  expect(views.getBoundingClientRect().bottom).toBeLessThan(tools.getBoundingClientRect().top);
});

test('on a smaller screen the field of a condition can be read whole', async () => {
  // As much as a window of 1024 leaves beside the sidebar and the margins.
  await page.viewport(724, 768);
  const condition = { fieldPath: 'custom_fields.installed', operator: 'equals', value: 'true' } as const;
  const segment = sampleSegment({ name: 'Everybody who has installed it by now', condition });
  answerRequests({
    'GET /api/segments': () => ({ body: { data: [segment], total: 1, page: 1, pageSize: 50, next_cursor: null } }),
    'GET /api/segments/counts': () => ({ body: { data: [] } }),
    'GET /api/segments/usage': () => ({ body: { data: [] } }),
    'GET /api/saved-views': () => ({ body: { data: [] } }),
  });
  render(inRouter(<SegmentsPage />, '/segments').page);
  const field = page.getByText('installed', { exact: true });
  await expect.element(field).toBeVisible();
  const { clientWidth, scrollWidth } = field.element();
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
});

test('a segment that could not be loaded keeps its address, and comes when asked again', async () => {
  let isDown = true;
  answerRequests({
    'GET /api/segments/5': () =>
      isDown ? problem(500, 'internal', 'The server failed') : { body: sampleSegment({ id: 5, name: 'On trial' }) },
    'GET /api/segments': () => ({ body: { data: [], total: 0, page: 1, pageSize: 50, next_cursor: null } }),
    'GET /api/saved-views': () => ({ body: { data: [] } }),
    'GET /api/drafts': () => ({ body: { data: [] } }),
  });
  const { page: element, address } = inRouter(<SegmentsPage />, '/segments/5');
  render(element);
  await expect.element(page.getByRole('alert')).toHaveTextContent('The server failed');
  expect(address()).toBe('/segments/5');
  isDown = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('On trial');
});
