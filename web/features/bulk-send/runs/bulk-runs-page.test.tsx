import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { BulkRunsPage } from './bulk-runs-page.tsx';

test('runs are searched and narrowed by status, the address says so, and nothing found has a way back', async () => {
  await page.viewport(1280, 800);
  const asked: URLSearchParams[] = [];
  answerRequests({
    'GET /api/bulk-runs': ({ url }) => {
      asked.push(new URL(url).searchParams);
      return { body: { data: [], total: 0, page: 1, pageSize: 50 } };
    },
    'GET /api/saved-views': () => ({ body: { data: [] } }),
  });
  const { page: element, address } = inRouter(<BulkRunsPage />, '/bulk-send/runs?search=spring');
  render(element);
  await expect.element(page.getByText('No bulk run matches')).toBeVisible();
  expect(asked.at(-1)?.get('search')).toBe('spring');
  await page.getByRole('button', { name: 'Status', exact: true }).click();
  await page.getByRole('option', { name: 'Paused' }).click();
  await expect.poll(() => asked.at(-1)?.get('status')).toBe('paused');
  expect(address()).toBe('/bulk-send/runs?search=spring&status=paused');
  await page.getByRole('button', { name: 'Status is Paused', exact: true }).click();
  await page.getByRole('option', { name: 'Paused' }).click();
  await expect.poll(address).toBe('/bulk-send/runs?search=spring');
  await page.getByRole('searchbox', { name: 'Search bulk runs' }).fill('');
  await expect.element(page.getByText('No bulk runs yet')).toBeVisible();
  expect(address()).toBe('/bulk-send/runs');
});
