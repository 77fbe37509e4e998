import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { TimelineEntry } from '#contracts/timeline.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { ProfileTimeline } from './profile-timeline.tsx';

const at = (hour: number) => `2026-10-14T0${hour}:00:00.000Z`;

const entries: TimelineEntry[] = [
  { id: 'segment:4', kind: 'segment', at: at(9), segment_id: 4, segment_name: 'VIP', state: 'joined' },
  {
    id: 'message:3',
    kind: 'message',
    at: at(8),
    message_id: 3,
    project_id: 1,
    direction: 'outgoing',
    type: 'text',
    status: 'read',
    error_code: null,
    text: 'Fifteen per cent off',
    source: 'campaign',
    source_id: 7,
    source_name: 'Voucher',
    clicks: [{ url: 'https://shop.example.com/a', at: at(9) }],
  },
  { id: 'event:2', kind: 'event', at: at(7), event_id: 2, event: 'Order placed', properties: { total: 12.5 } },
];
const created: TimelineEntry = { id: 'created:1', kind: 'created', at: at(1), actor: 'Maya' };

test('shows what happened by days, goes on with older entries, and narrows to a kind', async () => {
  const requests = answerRequests({
    'GET /api/profiles/1/timeline': (request) => {
      const { searchParams } = new URL(request.url);
      if (searchParams.get('kind') === 'note') return { body: { data: [], next_cursor: null } };
      if (searchParams.get('after') === 'next') return { body: { data: [created], next_cursor: null } };
      return { body: { data: entries, next_cursor: 'next' } };
    },
  });
  render(inRouter(<ProfileTimeline profileId={1} />).page);
  await expect.element(page.getByRole('link', { name: 'VIP' })).toHaveAttribute('href', '/segments/4');
  await expect.element(page.getByRole('link', { name: 'Voucher' })).toHaveAttribute('href', '/campaigns/7');
  await expect.element(page.getByText('Fifteen per cent off')).toBeVisible();
  await expect.element(page.getByText('https://shop.example.com/a')).toBeVisible();
  await expect.element(page.getByText('total 12.5')).toBeVisible();
  await page.getByRole('button', { name: 'Older' }).click();
  await expect.element(page.getByText('Profile created by Maya')).toBeVisible();
  await expect.element(page.getByText('Order placed')).toBeVisible();
  await page.getByRole('button', { name: 'Notes' }).click();
  await expect.element(page.getByText('No notes yet.')).toBeVisible();
  expect(new URL(requests.at(-1)?.url ?? '').searchParams.get('kind')).toBe('note');
});

test('says that it could not be loaded', async () => {
  answerRequests({
    'GET /api/profiles/1/timeline': () => ({ status: 500, body: { code: 'internal', message: '', request_id: 'a' } }),
  });
  render(inRouter(<ProfileTimeline profileId={1} />).page);
  await expect.element(page.getByText('Failed to load the timeline')).toBeVisible();
});
