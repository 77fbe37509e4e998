import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { WebhookEndpoint } from '#contracts/webhook-endpoints.ts';
import type { WebhookRecord } from '#contracts/webhooks.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { EndpointDeliveries } from './endpoint-deliveries.tsx';

const at = '2026-11-21T08:00:00.000Z';

const endpoint = (id: number, change: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id,
  url: `https://shop.example/hook/${id}`,
  events: ['*'],
  description: null,
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  is_first: false,
  paused_at: null,
  failing_since: null,
  disabled_at: null,
  disabled_reason: null,
  waiting: 0,
  created_at: at,
  ...change,
});
const endpoints = [
  endpoint(1, { is_first: true, description: 'Shop' }),
  endpoint(2, { description: 'Warehouse', disabled_at: at, disabled_reason: 'It answered 410 Gone.' }),
];

const delivered: WebhookRecord = {
  id: 11,
  event_id: 'evt_11',
  sequence: 7,
  endpoint_id: null,
  url: 'https://shop.example/hook/1',
  type: 'message.read',
  payload: { id: 'evt_11', type: 'message.read', timestamp: at, data: {} },
  status: 'success',
  error: null,
  attempts: 1,
  last_status_code: 204,
  next_attempt_at: null,
  created_at: at,
};
const failed: WebhookRecord = {
  ...delivered,
  id: 12,
  event_id: 'evt_12',
  sequence: 8,
  endpoint_id: 2,
  url: 'https://shop.example/hook/2',
  type: 'message.failed',
  payload: { id: 'evt_12', type: 'message.failed', timestamp: at, data: {} },
  status: 'failed',
  error: 'The connection was refused',
  attempts: 3,
  last_status_code: null,
};
const records = [failed, delivered];

const attempts = [{ at, status_code: 503, duration_ms: 12, error: 'HTTP 503', answer: 'Too busy' }];

/** Narrows as the server does; notes what it was asked for. */
function answer(queries: URLSearchParams[], retried: number[] = []) {
  const of = (record: WebhookRecord) => ({ body: { ...record, history: attempts } });
  answerRequests({
    'GET /api/projects/3/webhook-endpoints': () => ({ body: { data: endpoints } }),
    'GET /api/projects/3/webhooks': ({ url }) => {
      const { searchParams: query } = new URL(url);
      queries.push(query);
      const data = records.filter(
        ({ endpoint_id: id, status, payload }) =>
          (!query.has('endpoint_id') || String(id ?? 1) === query.get('endpoint_id')) &&
          (!query.has('status') || status === query.get('status')) &&
          (!query.has('type') || payload?.type === query.get('type')),
      );
      return { body: { data, total: data.length, page: 1, pageSize: 20 } };
    },
    'GET /api/webhooks/11': () => of(delivered),
    'GET /api/webhooks/12': () => of(failed),
    'POST /api/webhooks/11/retry': () => {
      retried.push(11);
      return { body: { ...delivered, status: 'pending' } };
    },
  });
}

const table = page.getByRole('table', { name: 'Deliveries' });
const rowOf = (type: string) => page.getByRole('button', { name: type });

async function open(search = ''): Promise<() => string> {
  await page.viewport(1440, 900);
  const shown = inRouter(<EndpointDeliveries projectId={3} />, `/projects/$projectId/developers${search}`);
  render(shown.page);
  return shown.address;
}

test('deliveries are listed with their endpoint, and narrowed by endpoint, event and status', async () => {
  const queries: URLSearchParams[] = [];
  answer(queries);
  const address = await open();
  await expect.element(table).toHaveTextContent('message.failed');
  await expect.element(table).toHaveTextContent('message.read');
  await expect.element(table).toHaveTextContent('Warehouse');
  await expect.element(table).toHaveTextContent('No answer');
  await expect.element(table).toHaveTextContent('204');

  await page.getByLabelText('Endpoint', { exact: true }).selectOptions('Shop');
  await expect.element(page.getByText('Deliveries to Shop')).toBeVisible();
  await expect.element(rowOf('message.failed')).not.toBeInTheDocument();
  expect(queries.at(-1)?.get('endpoint_id')).toBe('1');
  await page.getByLabelText('Delivery status').selectOptions('Failed');
  await expect.element(page.getByText('No delivery matches.')).toBeVisible();
  await page.getByLabelText('Endpoint', { exact: true }).selectOptions('Any endpoint');
  await expect.element(rowOf('message.failed')).toBeVisible();
  await page.getByLabelText('Event', { exact: true }).selectOptions('message.failed');
  await expect.poll(() => queries.at(-1)?.get('type')).toBe('message.failed');
  expect(address()).toContain('delivery=failed');
  expect(address()).toContain('event=message.failed');
});

test('an opened delivery shows what was sent and each attempt with its answer, and is sent again', async () => {
  const retried: number[] = [];
  answer([], retried);
  await open();
  await rowOf('message.read').click();
  await expect.element(page.getByText('evt_11', { exact: true })).toBeVisible();
  await expect.element(page.getByText('Too busy')).toBeVisible();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.element(page.getByText('Webhook is on its way again')).toBeVisible();
  expect(retried).toEqual([11]);
});

test('a delivery to a disabled endpoint cannot be sent again, and says how the endpoint is enabled', async () => {
  answer([]);
  await open('?delivery=failed');
  await rowOf('message.failed').click();
  await expect.element(page.getByRole('button', { name: 'Retry' })).toBeDisabled();
  await expect.element(page.getByText(/switched off/)).toBeVisible();
});

test('on a phone each is a card, with the same filters', async () => {
  answer([]);
  await open();
  await page.viewport(390, 844);
  await expect.element(rowOf('message.read')).toBeVisible();
  await expect.element(page.getByLabelText('Event', { exact: true })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});
