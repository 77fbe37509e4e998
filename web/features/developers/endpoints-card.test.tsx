import { useState } from 'react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { WebhookEndpoint } from '#contracts/webhook-endpoints.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { EndpointsCard } from './endpoints-card.tsx';

const at = '2026-11-21T08:00:00.000Z';

const shop: WebhookEndpoint = {
  id: 1,
  url: 'https://shop.example/hook',
  events: ['*'],
  description: 'Till',
  secret: 'whsec_old',
  is_first: true,
  paused_at: null,
  failing_since: null,
  disabled_at: null,
  disabled_reason: null,
  waiting: 0,
  created_at: at,
};
const endpoints: WebhookEndpoint[] = [
  shop,
  { ...shop, id: 2, is_first: false, description: 'Board', failing_since: at, waiting: 12 },
  {
    ...shop,
    id: 3,
    is_first: false,
    description: 'Warehouse',
    failing_since: at,
    disabled_at: at,
    disabled_reason: 'Every attempt has failed for five days.',
  },
];
const list = { 'GET /api/projects/3/webhook-endpoints': () => ({ body: { data: endpoints } }) };

function Example() {
  const [edited, setEdited] = useState<'new' | number>();
  return <EndpointsCard projectId={3} onDeliveries={() => undefined} edited={edited} onEdited={setEdited} />;
}

function show(): void {
  render(<Example />);
}

test('an endpoint that fails says since when, and one that was switched off why, and how it is switched on', async () => {
  answerRequests(list);
  await page.viewport(1440, 900);
  show();
  const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect.element(rowOf('Till')).toHaveTextContent('Active');
  await expect.element(rowOf('Till')).not.toHaveTextContent('since');
  await expect.element(rowOf('Board')).toHaveTextContent('Fails since 21 Nov 2026');
  await expect.element(rowOf('Warehouse')).toHaveTextContent('Every attempt has failed for five days. Save it again');
});

test('a signing secret is rotated where it stands, and the new one is there to copy', async () => {
  const requests = answerRequests({
    ...list,
    'POST /api/projects/3/webhook-endpoints/1/secret/rotate': () => ({ body: { ...shop, secret: 'whsec_new' } }),
  });
  await page.viewport(1440, 900);
  show();
  await page.getByRole('button', { name: 'Edit' }).first().click();
  await expect.element(page.getByLabelText('Signing secret', { exact: true })).toHaveValue('whsec_old');
  await page.getByRole('button', { name: 'Rotate signing secret' }).click();
  await expect.element(page.getByLabelText('Signing secret', { exact: true })).toHaveValue('whsec_new');
  await expect.element(page.getByText('The old secret signs beside it for a day, then stops.')).toBeVisible();
  expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});
