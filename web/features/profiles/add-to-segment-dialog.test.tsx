import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleSegment } from '#web/testing/samples.ts';
import { AddToSegmentDialog } from './add-to-segment-dialog.tsx';

test('a new segment to which nobody could be added is not made again by another try', async () => {
  const requests = answerRequests({
    'GET /api/segments': () => ({ body: { data: [], total: 0, page: 1, pageSize: 50 } }),
    'POST /api/segments': () => ({ status: 201, body: sampleSegment() }),
  });
  const failures = [new Error('Too busy')];
  const added: string[] = [];
  const onAdd = (tag: string): Promise<void> => {
    const failure = failures.pop();
    if (failure !== undefined) return Promise.reject(failure);
    added.push(tag);
    return Promise.resolve();
  };
  render(inRouter(<AddToSegmentDialog people="3 profiles" onAdd={onAdd} onClose={() => undefined} />).page);
  await page.getByRole('button', { name: 'New segment' }).click();
  await page.getByLabelText('Name').fill('Regulars');
  await page.getByLabelText('Tag').fill('regular');
  const create = page.getByRole('button', { name: 'Create Segment' });
  await create.click();
  await expect.element(page.getByText('Failed to save segment')).toBeVisible();
  await create.click();
  await expect.poll(() => added).toEqual(['regular']);
  expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});
