import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { CountedAt, SegmentGrowth } from './segment-growth.tsx';

type Counted = { count: number | null; days: { day: string; count: number }[] };

const now = '2026-11-25T10:00:00Z';

function show({ count, days }: Counted): void {
  answerRequests({
    'GET /api/segments/counts': () => ({
      body: { data: [{ id: 9, count, counted_at: count === null ? null : now, days }] },
    }),
  });
  render(
    <>
      <SegmentGrowth segmentId={9} />
      <CountedAt segmentId={9} />
    </>,
  );
}

test.each<[string, Counted, string, string]>([
  [
    'more people',
    {
      count: 1284,
      days: [
        { day: '2026-10-26', count: 1102 },
        { day: '2026-11-25', count: 1280 },
      ],
    },
    'grew by 182',
    '182 more than on 26 Oct 2026',
  ],
  [
    'fewer people',
    { count: 4, days: [{ day: '2026-11-20', count: 10 }] },
    'shrank by 6',
    '6 fewer than on 20 Nov 2026',
  ],
  ['as many', { count: 4, days: [{ day: '2026-11-20', count: 4 }] }, 'changed by 0', 'As many as on 20 Nov 2026'],
  [
    'no count of now, between the days that were counted',
    {
      count: null,
      days: [
        { day: '2026-11-20', count: 4 },
        { day: '2026-11-24', count: 5 },
      ],
    },
    'grew by 1',
    '1 more than on 20 Nov 2026',
  ],
])('growth: %s', async (_, counted, words, tip) => {
  show(counted);
  const figure = page.getByText(words);
  await expect.element(figure).toBeVisible();
  await figure.hover();
  await expect.element(page.getByRole('tooltip', { name: tip })).toBeInTheDocument();
});

test.each<[string, Counted]>([
  ['no day was counted', { count: 7, days: [] }],
  ['today alone was counted', { count: 7, days: [{ day: '2026-11-25', count: 3 }] }],
  ['it can not be counted', { count: null, days: [{ day: '2026-11-24', count: 5 }] }],
])('growth is not known where %s', async (_, counted) => {
  show(counted);
  await expect.element(page.getByText('not known yet')).toBeInTheDocument();
});

test('the time of the count is told, or that there was none', async () => {
  show({ count: null, days: [] });
  await expect.element(page.getByText('Not counted')).toBeVisible();
});
