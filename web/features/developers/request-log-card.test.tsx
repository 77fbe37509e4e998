import { useState } from 'react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { ApiRequest } from '#contracts/request-log.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import type { DeveloperSearch } from './developer-search.ts';
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

/** The page keeps what is asked for in its URL. */
function Log() {
  const [search, setSearch] = useState<DeveloperSearch>({});
  return (
    <RequestLogCard
      projectId={3}
      search={search}
      onChange={(change) => setSearch((before) => ({ ...before, ...change }) as DeveloperSearch)}
    />
  );
}

const keys = {
  data: [{ id: 7, name: 'Board', hint: 'dpp_4vR8', scopes: [], addresses: [], expires_at: null, last_used_at: null }],
  auth_key: { hint: 'dpa_ktJv', scopes: [], last_used_at: null },
};
const keyList = { 'GET /api/projects/3/keys': () => ({ body: keys }) };

test('requests are listed with their outcome and key; a filter asks the server, and more are fetched', async () => {
  const queries: string[] = [];
  answerRequests({
    ...keyList,
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
  render(<Log />);
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
  await page.getByLabelText('Made with').selectOptions('Board');
  await expect.poll(() => queries.at(-1)).toContain('key_id=7');
  await page.getByLabelText('Time').selectOptions('Last hour');
  await expect.poll(() => queries.at(-1)).toContain('created_after=');
  await page.getByLabelText('Path or request id').fill('0b8f6c1e-5f0e-4c39-9d55-6a0c1d1f2b3a');
  await expect.poll(() => queries.at(-1)).toContain('request_id=0b8f6c1e');
});

test('without a request it says so', async () => {
  answerRequests({ ...keyList, 'GET /api/projects/3/requests': () => ({ body: { data: [], next_cursor: null } }) });
  render(<Log />);
  await expect.element(page.getByText('No program has used a key yet.')).toBeVisible();
});

test('a request is opened, with its id whole and as a command to copy', async () => {
  const refused = request(2, { status: 422, code: 'not_on_whatsapp', caller: 'project_key', key_name: 'Shop' });
  answerRequests({
    ...keyList,
    'GET /api/projects/3/requests': () => ({ body: { data: [refused], next_cursor: null } }),
  });
  render(<Log />);
  await page.getByRole('button', { name: 'POST /api/send-message' }).click();
  const dialog = page.getByRole('dialog', { name: 'POST /api/send-message' });
  await expect.element(dialog).toHaveTextContent('422 not_on_whatsapp');
  await expect.element(dialog).toHaveTextContent('request-2');
  await expect.element(dialog).toHaveTextContent(`-d '{"to":"…0123","message":"5 characters"}'`);
  await expect.element(dialog.getByRole('button', { name: 'Copy' })).toBeVisible();
});
