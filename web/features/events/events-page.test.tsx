import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { EventNameInUse, TrackedEvent } from '#contracts/events.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { EventsPage } from './events-page.tsx';

const usage = { names: 1, most_names: 1_000, bytes: 2_500_000, most_bytes: 1_073_741_824, kept_days: 395 };
const name: EventNameInUse = {
  id: 1,
  name: 'Order placed',
  count: 412,
  last_day: 12,
  first_seen_at: '2026-08-30T09:00:00.000Z',
  last_seen_at: '2026-10-14T09:00:00.000Z',
  properties: [{ path: 'properties.total', types: ['number'], samples: ['64'], share: 1 }],
  hours: Array.from({ length: 24 }, () => 1),
};
const event: TrackedEvent = {
  id: 5,
  profile_id: 3,
  profile_name: 'Mateo Ruiz',
  phone: '34612884201',
  event: 'Order placed',
  properties: { total: 64 },
  timestamp: '2026-10-14T09:00:00.000Z',
  received_at: '2026-10-14T09:00:00.000Z',
  message_id: null,
};

beforeEach(() => page.viewport(1280, 900));

test('an account without events is shown how to send the first', async () => {
  answerRequests({ 'GET /api/event-names': () => ({ body: { data: [], total: 0, page: 1, pageSize: 20, usage } }) });
  render(inRouter(<EventsPage />, '/events').page);
  await expect.element(page.getByText('No events yet')).toBeVisible();
  await expect.element(page.getByRole('region', { name: 'Track an event, curl' })).toHaveTextContent('/api/track');
});

test('shows names with their properties, the tail, and what is used; a pause holds the tail still', async () => {
  const requests = answerRequests({
    'GET /api/event-names': () => ({ body: { data: [name], total: 1, page: 1, pageSize: 20, usage } }),
    'GET /api/events': () => ({ body: { data: [event], next_cursor: null } }),
  });
  const { page: shown, address } = inRouter(<EventsPage />, '/events');
  const queryClient = render(shown);
  await expect.element(page.getByText('2.5 MB of 1.1 GB')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Mateo Ruiz' })).toHaveAttribute('href', '/profiles/3');
  await page.getByRole('button', { name: /^Order placed/ }).click();
  await expect.element(page.getByText('number, in 100 %')).toBeVisible();
  expect(address()).toBe('/events?name=Order+placed');
  const asked = () => requests.filter(({ url }) => new URL(url).pathname === '/api/events').length;
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect.element(page.getByText('Paused: newer events wait.')).toBeVisible();
  const before = asked();
  await queryClient.invalidateQueries();
  expect(asked()).toBe(before);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(asked).toBe(before + 1);
});

test('a name that no event has says so', async () => {
  answerRequests({
    'GET /api/event-names': ({ url }) => {
      const isAsked = new URL(url).searchParams.has('name');
      return { body: { data: isAsked ? [] : [name], total: 1, page: 1, pageSize: 20, usage } };
    },
    'GET /api/events': () => ({ body: { data: [], next_cursor: null } }),
  });
  render(inRouter(<EventsPage />, '/events?name=Cart+left').page);
  await expect.element(page.getByText('No event has this name.')).toBeVisible();
});
