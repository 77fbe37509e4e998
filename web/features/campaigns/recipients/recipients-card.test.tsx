import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Campaign, Recipient } from '#contracts/campaigns.ts';
import type { Report } from '#contracts/reports.ts';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleCampaign, sampleReport, sampleSegment } from '#web/testing/samples.ts';
import { RecipientsCard } from './recipients-card.tsx';

function recipient(changes: Partial<Recipient> = {}): Recipient {
  return {
    profile_id: 5,
    is_profile_deleted: false,
    name: 'Ada Lindqvist',
    phone: '46701740605',
    status: 'waiting',
    message_status: null,
    message_id: null,
    error: null,
    error_code: null,
    changed_at: null,
    replied_at: null,
    clicked_at: null,
    ...changes,
  };
}

const listOf = (...data: Recipient[]): Answer => ({
  body: { data, total: data.length, page: 1, pageSize: 50, next_cursor: null },
});

type Scene = {
  campaign?: Partial<Campaign>;
  answer: (query: URLSearchParams) => Answer | Promise<Answer>;
  path?: string;
  report?: Report;
};

function open({ campaign = {}, answer, path = '/campaigns/4', report }: Scene) {
  const requests = answerRequests({
    'GET /api/campaigns/4/recipients': ({ url }) => answer(new URL(url).searchParams),
    'GET /api/campaigns/4/recipients/export': () => problem(503, 'not_ready', ''),
    'POST /api/campaigns/4/retry-failed': () => ({ body: sampleCampaign({ id: 4 }) }),
    'POST /api/segments': () => ({ status: 201, body: sampleSegment() }),
  });
  const { page: element, address } = inRouter(
    <RecipientsCard campaign={sampleCampaign(campaign)} report={report} />,
    path,
  );
  render(element);
  return { address, requests };
}

const card = page.getByRole('region', { name: /^Recipients$|^(Failed for )?\d+ (person|people)/ });
const states = page.getByRole('group', { name: 'State of recipients' });
const search = page.getByRole('searchbox', { name: 'Search recipients' });

beforeEach(() => page.viewport(1440, 900));

test.each<[Partial<Recipient>, RegExp]>([
  [{}, /Ada Lindqvist.*\+46 70 174 06 05Waiting––$/],
  [{ status: 'pending', message_status: 'pending' }, /Pending/],
  [{ status: 'sent', message_status: 'read', changed_at: '2026-11-20T09:12:00.000Z' }, /Read.*20 Nov 2026/],
  [{ status: 'failed', message_status: 'failed', error: 'Not on WhatsApp' }, /Failed.*Not on WhatsApp/],
  [{ status: 'skipped', error: 'Opted out of messages' }, /Skipped.*Opted out of messages/],
  [{ name: null }, /No name/],
])('of %j it says %s', async (changes, text) => {
  open({ answer: () => listOf(recipient(changes)) });
  await expect.element(page.getByRole('row').nth(1)).toHaveTextContent(text);
  await expect.element(page.getByRole('row').nth(1).getByRole('link')).toHaveAttribute('href', '/profiles/5');
});

test('of a profile that is deleted it says so', async () => {
  open({ answer: () => listOf(recipient({ is_profile_deleted: true, name: null })) });
  await expect.element(page.getByRole('row').nth(1)).toHaveTextContent(/^Deleted profile.*\+46 70 174 06 05/);
  expect(page.getByRole('row').nth(1).getByRole('link').elements()).toHaveLength(0);
});

test('is narrowed by state and search from its first page on, and the address says so', async () => {
  const { address } = open({
    campaign: {
      total_count: 120,
      waiting_count: 0,
      sent_count: 100,
      read_count: 61,
      failed_count: 20,
      skipped_count: 0,
    },
    answer: (query) => {
      const isNarrowed = query.get('status') === 'read' || query.get('search') !== null;
      const data = isNarrowed ? [] : [recipient()];
      return {
        body: { data, total: isNarrowed ? 0 : 120, page: Number(query.get('page')), pageSize: 50, next_cursor: null },
      };
    },
    path: '/campaigns/4?page=2',
  });
  await expect.element(page.getByText('11–20 of 120')).toBeVisible();
  await expect.element(states).toHaveTextContent('All120Sent100Delivered0Read61Replied0Failed20Skipped0');
  await states.getByRole('button', { name: 'Read 61' }).click();
  await expect.element(page.getByText('No recipient has this status')).toBeVisible();
  expect(address()).toMatch(/\?status=read$/);
  await search.fill('Linus');
  await expect.element(page.getByText('No recipient matches')).toBeVisible();
  expect(address()).toMatch(/\?search=Linus&status=read$/);
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect.element(page.getByText('Ada Lindqvist')).toBeVisible();
  await expect.element(search).toHaveValue('');
  expect(address()).not.toContain('?');
});

test('waiting recipients have a tab while there are some', async () => {
  open({ campaign: { total_count: 3, waiting_count: 2 }, answer: () => listOf(recipient()) });
  await expect.element(states).toHaveTextContent(/^All3Waiting2Sent/);
});

test.each<[Campaign['status'], string, string]>([
  ['scheduled', 'No recipients yet', 'Whoever is in the segment when the campaign starts appears here.'],
  ['creating', 'No recipients yet', 'Whoever is in the segment when the campaign starts appears here.'],
  ['failed', 'No recipients', 'The campaign ended before it had any.'],
])('of a campaign that is %s it says %s', async (state, title, hint) => {
  open({ campaign: { status: state, total_count: 0 }, answer: () => listOf() });
  await expect.element(card.getByText(title, { exact: true })).toBeVisible();
  await expect.element(card.getByText(hint)).toBeVisible();
  await expect.element(states).not.toBeInTheDocument();
});

test('loads in its final size, and says what failed', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  open({ answer: () => promise });
  await expect.element(page.getByRole('table')).toHaveAttribute('aria-busy', 'true');
  await expect.element(page.getByRole('status').filter({ hasText: 'Loading recipients...' })).toBeInTheDocument();
  resolve(problem(500, 'unexpected', ''));
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to load recipients');
});

test('says that the file could not be downloaded', async () => {
  open({ answer: () => listOf(recipient()) });
  await page.getByRole('button', { name: 'Download CSV' }).click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to download recipients');
});

test('shows everything on a narrow table, the number beneath the name', async () => {
  await page.viewport(760, 900);
  open({
    answer: () =>
      listOf(
        recipient({ name: 'Maria Ferreira Rodrigues', status: 'skipped', changed_at: '2026-11-20T09:12:00.000Z' }),
      ),
  });
  const table = page.getByRole('table');
  await expect.element(table.getByText('+46 70 174 06 05').first()).toBeVisible();
  expect(table.element().scrollWidth).toBeLessThanOrEqual(table.element().parentElement?.clientWidth ?? 0);
});

test('the people of a figure become a segment that follows, also those who fell short of it', async () => {
  const { requests } = open({
    campaign: { total_count: 3, name: 'Harvest box' },
    answer: () => listOf(recipient({ status: 'sent' })),
    path: '/campaigns/4?status=read',
  });
  await card.getByRole('button', { name: 'Make a segment' }).click();
  await expect.element(page.getByLabelText('Name', { exact: true })).toHaveValue('Harvest box: read');
  await page.getByLabelText('People who').selectOptions('short');
  await page.getByRole('button', { name: 'Create Segment' }).click();
  await expect.element(page.getByText('Segment created successfully')).toBeVisible();
  const made = requests.find(({ method, url }) => method === 'POST' && url.endsWith('/api/segments'));
  expect(await made?.json()).toEqual({
    name: 'Harvest box: read',
    expression: { message: { of: 'campaign', id: 4 }, state: 'read', not: true },
  });
});

test('beside those who failed stands the retry, and no segment where no figure is chosen', async () => {
  const failures: Report['failures'] = [{ code: 'network_refused', reason: 'Refused', count: 2, can_retry: true }];
  const scene = { campaign: { total_count: 3 }, answer: () => listOf(recipient()), report: sampleReport({ failures }) };
  const { requests } = open({ ...scene, path: '/campaigns/4?status=failed' });
  await card.getByRole('button', { name: 'Retry failed (2)' }).click();
  await expect.poll(() => requests.some(({ url }) => url.endsWith('/retry-failed'))).toBe(true);
  await states.getByRole('button', { name: /^All/ }).click();
  await expect.element(card.getByRole('button', { name: 'Make a segment' })).not.toBeInTheDocument();
  await expect.element(card.getByRole('button', { name: /Retry/ })).not.toBeInTheDocument();
});

test('the title says whom the figure counts, and those of a reason or a link are asked for by it', async () => {
  const asked: URLSearchParams[] = [];
  const answer = (query: URLSearchParams) => {
    asked.push(query);
    return listOf(recipient({ status: 'sent', clicked_at: '2026-11-20T09:12:00.000Z' }));
  };
  const reason = 'WhatsApp refused the message';
  const path = `/campaigns/4?status=failed&error_code=network_refused&reason=${encodeURIComponent(reason)}`;
  const { address } = open({ campaign: { total_count: 3 }, answer, path, report: sampleReport() });
  await expect.element(page.getByRole('heading', { name: 'Failed for 1 person' })).toBeVisible();
  await expect.element(card.getByText(reason, { exact: true })).toBeVisible();
  expect(asked.at(-1)?.get('reason')).toBe(reason);
  expect(asked.at(-1)?.get('error_code')).toBe('network_refused');
  await card.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(address).toBe('/campaigns/4');
  await expect.element(page.getByRole('heading', { name: 'Recipients' })).toBeVisible();
});

test('people who opened a link are listed with the time, and become a segment of the event', async () => {
  const { requests } = open({
    campaign: { total_count: 3, name: 'Harvest box', clicked_count: 1 },
    answer: () => listOf(recipient({ status: 'sent', clicked_at: '2026-11-20T09:12:00.000Z' })),
    path: '/campaigns/4?status=clicked',
  });
  await expect.element(page.getByRole('columnheader', { name: 'First click' })).toBeVisible();
  await card.getByRole('button', { name: 'Write to them' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect.poll(() => requests.some(({ method }) => method === 'POST')).toBe(true);
  const made = requests.find(({ method, url }) => method === 'POST' && url.endsWith('/api/segments'));
  expect(await made?.json()).toEqual({
    name: 'Harvest box: clicked',
    expression: { message: { of: 'campaign', id: 4 }, state: 'clicked' },
  });
});
