import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Alert, AlertKind } from '#contracts/alerts.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { Sending } from '#contracts/projects.ts';
import type { WebhookHealth } from '#contracts/webhooks.ts';
import { answerRequests, problem } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { samplePhone, sampleProject } from '#web/testing/samples.ts';
import { AttentionCard } from './attention-card.tsx';

const well: WebhookHealth = { is_failing: false, failures: 0, failing_since: null, error: null };
const failing: WebhookHealth = {
  is_failing: true,
  failures: 12,
  failing_since: new Date(Date.now() - 3 * 60 * 60_000).toISOString(),
  error: 'HTTP 500',
};

type State = {
  alerts?: readonly Alert[];
  hidden?: readonly AlertKind[];
  phones?: readonly PhoneNumber[];
  health?: WebhookHealth;
  webhookUrl?: string | null;
};

function open({ phones = [], health = well, webhookUrl = 'https://example.com/hook', ...state }: State) {
  const { alerts = [], hidden = [] } = state;
  const requests = answerRequests({
    'GET /api/alerts': () => ({ body: { data: alerts, hidden_kinds: hidden } }),
    'DELETE /api/alerts/5': () => ({ body: null }),
    'GET /api/projects/3/phone-numbers': () => ({ body: { data: phones } }),
    'GET /api/projects/3/webhooks/health': () => ({ body: health }),
  });
  const { page: element, address } = inRouter(
    <AttentionCard projects={[sampleProject({ webhook_url: webhookUrl })]} />,
  );
  render(element);
  return { requests, address };
}

const card = page.getByRole('region', { name: 'Needs attention' });

test('a lost phone says why, and leads to where it is connected again', async () => {
  const error = 'WhatsApp removed this device';
  const { address } = open({ phones: [samplePhone({ status: 'auth_failed', error })] });
  await expect.element(card).toHaveTextContent(`Backup line could not sign in${error}`);
  await page.getByRole('link', { name: 'Reconnect Backup line' }).click();
  expect(address()).toBe('/projects/3/phone-numbers');
});

test('a simulated loss of the link says so, and is put right by one button', async () => {
  const error = 'Simulated: the phone lost its link. Choose Connect, and it goes on.';
  const { requests } = open({ phones: [samplePhone({ connector: 'sandbox', status: 'auth_failed', error })] });
  await expect.element(card).toHaveTextContent(error);
  await page.getByRole('button', { name: 'Reconnect Backup line' }).click();
  await expect.poll(() => requests.some(({ url }) => url.endsWith('/connect'))).toBe(true);
});

test('a project that is connected and cannot send says why, and leads to where that is mended', async () => {
  answerRequests({ 'GET /api/projects/3/phone-numbers': () => ({ body: { data: [] } }) });
  const sending: Sending = {
    can_send: false,
    connector: null,
    reason: 'phones_inactive',
    message: 'The connected phone numbers of this project are switched off',
    until: null,
  };
  const { page: element, address } = inRouter(<AttentionCard projects={[sampleProject({ sending })]} />);
  render(element);
  await expect.element(card).toHaveTextContent('Larkspur Store cannot send nowThe connected phone numbers of this');
  await page.getByRole('link', { name: 'Phone numbers of Larkspur Store' }).click();
  expect(address()).toBe('/projects/3/phone-numbers');
});

test('a banned phone is not to be reconnected', async () => {
  open({ phones: [samplePhone({ status: 'banned', name: null })] });
  await expect.element(card).toHaveTextContent('+61 491 570 006 was banned by WhatsApp');
  await expect.element(page.getByRole('link', { name: /^See phone/ })).toBeVisible();
});

test('a failing webhook says how often, since when and why', async () => {
  const { address } = open({ health: failing });
  await expect.element(card).toHaveTextContent('The webhook of Larkspur Store is failing');
  await expect.element(card).toHaveTextContent('The last 12 deliveries failed, the first 3h ago: HTTP 500');
  await page.getByRole('link', { name: 'See deliveries' }).click();
  expect(address()).toBe('/projects/3');
});

test('a webhook that was switched off says why and how it is switched on, and leads there', async () => {
  answerRequests({
    'GET /api/projects/3/phone-numbers': () => ({ body: { data: [] } }),
    'GET /api/projects/3/webhooks/health': () => ({ body: failing }),
  });
  const off = sampleProject({
    webhook_url: 'https://example.com/hook',
    webhook_disabled_at: '2026-11-21T08:00:00.000Z',
    webhook_disabled_reason: 'Every attempt has failed for five days.',
  });
  const { page: element, address } = inRouter(<AttentionCard projects={[off]} />);
  render(element);
  await expect.element(card).toHaveTextContent('The webhook of Larkspur Store was switched off');
  await expect.element(card).toHaveTextContent('failed for five days. Save the URL again to switch it on.');
  await page.getByRole('link', { name: 'See webhook' }).click();
  expect(address()).toBe('/projects/3');
});

test('nothing stands where all is well', async () => {
  const { requests } = open({ phones: [samplePhone({ status: 'connected', is_connected: true })] });
  await expect.poll(() => requests.length).toBe(3);
  await expect.element(card).not.toBeInTheDocument();
});

test('without a webhook URL nobody asks for its health', async () => {
  const { requests } = open({ phones: [samplePhone({ status: 'disconnected' })], webhookUrl: null });
  await expect.element(card).toBeVisible();
  expect(requests.map(({ url }) => new URL(url).pathname)).not.toContain('/api/projects/3/webhooks/health');
});

test('a question that fails does not hide the other items', async () => {
  answerRequests({
    'GET /api/projects/3/phone-numbers': () => problem(422, 'invalid_input', 'No phones now'),
    'GET /api/projects/3/webhooks/health': () => ({ body: failing }),
  });
  render(inRouter(<AttentionCard projects={[sampleProject({ webhook_url: 'https://example.com' })]} />).page);
  await expect.element(card).toHaveTextContent('The webhook of Larkspur Store is failing');
});

const failed: Alert = {
  id: 5,
  kind: 'campaign_failed',
  project_id: 3,
  subject_id: 9,
  title: '“Spring” failed',
  text: 'The segment was deleted',
  began_at: new Date().toISOString(),
  ended_at: null,
};

test('an alert from the server leads to its page, and can be dismissed', async () => {
  const { address, requests } = open({ alerts: [failed] });
  await expect.element(card).toHaveTextContent('“Spring” failedThe segment was deleted');
  await page.getByRole('button', { name: 'Dismiss: “Spring” failed' }).click();
  await expect.poll(() => requests.some(({ method }) => method === 'DELETE')).toBe(true);
  await page.getByRole('link', { name: 'See campaign “Spring” failed' }).click();
  expect(address()).toBe('/campaigns/9');
});

test.each<[AlertKind, string]>([
  ['phone_limited', '+1 415 555 0100 is limited by WhatsApp'],
  ['daily_limit_reached', '+1 415 555 0100 has reached its daily maximum'],
  ['first_contacts_low', '+1 415 555 0100 has used 8 of its 10 first contacts today'],
  ['first_contacts_used', '+1 415 555 0100 has used its first contacts of today'],
])('%s leads to the page of its number', async (kind, title) => {
  const { address } = open({ alerts: [{ ...failed, kind, title, text: 'Why' }] });
  await page.getByRole('link', { name: `See number ${title}` }).click();
  expect(address()).toBe('/phone-numbers/9');
});

test('kinds that the settings keep off the dashboard are not shown, those read from the phones neither', async () => {
  const { requests } = open({
    alerts: [failed],
    hidden: ['campaign_failed', 'phone_lost'],
    phones: [samplePhone({ status: 'disconnected' })],
  });
  await expect.poll(() => requests.length).toBe(3);
  await expect.element(card).not.toBeInTheDocument();
});
