import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { ApiRequest } from '#contracts/request-log.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { RequestLogCard } from './request-log-card.tsx';

const request = (id: number, change: Partial<ApiRequest> = {}): ApiRequest => ({
  id,
  created_at: '2026-11-21T08:00:00.000Z',
  request_id: `request-${id}`,
  method: 'POST',
  path: '/api/send-message',
  status: 200,
  code: null,
  duration_ms: 42,
  caller: 'auth_key',
  key_id: null,
  key_name: null,
  body: '{"to":"…0123","message":"5 characters"}',
  omitted: 0,
  ...change,
});

test('requests are listed with their outcome and key; a filter asks the server, and more are fetched', async () => {
  const queries: string[] = [];
  answerRequests({
    'GET /api/projects/3/requests': (asked) => {
      const { searchParams } = new URL(asked.url);
      queries.push(searchParams.toString());
      const refused = request(2, { status: 422, code: 'not_on_whatsapp', caller: 'project_key', key_name: 'Shop' });
      if (searchParams.get('outcome') === 'refused') return { body: { data: [refused], next_cursor: null } };
      if (searchParams.has('after')) return { body: { data: [request(1)], next_cursor: null } };
      return { body: { data: [request(3, { omitted: 1200 }), refused], next_cursor: '2' } };
    },
  });
  await page.viewport(1440, 900);
  render(<RequestLogCard projectId={3} />);
  const table = page.getByRole('table', { name: 'Request log' });
  await expect.element(table).toHaveTextContent('POST /api/send-message');
  await expect.element(table).toHaveTextContent('1,200 before it not listed');
  await expect
    .element(page.getByRole('link', { name: 'not_on_whatsapp' }))
    .toHaveAttribute('href', '/docs/errors#not_on_whatsapp');
  await expect.element(page.getByText('Shop')).toBeVisible();
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.element(page.getByText('request-1')).toBeVisible();
  await page.getByLabelText('Outcome').selectOptions('refused');
  await expect.element(page.getByText('request-3')).not.toBeInTheDocument();
  await expect.element(page.getByText('request-2')).toBeVisible();
  expect(queries.at(-1)).toContain('outcome=refused');
});

test('without a request it says so', async () => {
  answerRequests({ 'GET /api/projects/3/requests': () => ({ body: { data: [], next_cursor: null } }) });
  render(<RequestLogCard projectId={3} />);
  await expect.element(page.getByText('No program has used a key yet.')).toBeVisible();
});
