import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Campaign } from '#contracts/campaigns.ts';
import { dismissToast, getToasts } from '#web/shared/ui/toast-store.ts';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleCampaign, sampleProject, sampleSegment } from '#web/testing/samples.ts';
import { CampaignsPage } from './campaigns-page.tsx';

type Place = { path?: string; room?: number };

function open(answer: (request: Request) => Answer | Promise<Answer>, { path = '/campaigns', room }: Place = {}) {
  const requests = answerRequests({
    'GET /api/campaigns': answer,
    'GET /api/projects': () => ({ body: { data: [sampleProject()] } }),
    'GET /api/segments': () => ({ body: { data: [sampleSegment()] } }),
    'GET /api/saved-views': () => ({ body: { data: [] } }),
    'GET /api/profile-fields': () => ({ body: { data: [] } }),
  });
  const { page: element, address } = inRouter(
    <div style={{ width: room }}>
      <CampaignsPage />
    </div>,
    path,
  );
  render(element);
  const asked = () => requests.filter(({ url }) => new URL(url).pathname === '/api/campaigns').length;
  return { address, asked };
}

const withCampaigns = (...campaigns: Campaign[]) => open(() => ({ body: { data: campaigns } }));
const rows = page.getByRole('row');
const refresh = page.getByRole('button', { name: 'Refresh' });
const dialog = page.getByRole('dialog', { name: 'New Campaign' });

/** Lets as much time go by as a timer of the page waits. */
function holdTimers(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  return (ms) => void vi.advanceTimersByTime(ms);
}

beforeEach(async () => {
  await page.viewport(1440, 900);
  for (const { id } of getToasts()) dismissToast(id);
});

test('says what it is for, and has a column for everything', async () => {
  withCampaigns(sampleCampaign());
  await expect.element(page.getByRole('heading', { name: 'Campaigns', level: 1 })).toBeVisible();
  await expect.element(page.getByText('Create a campaign to message a segment via a project')).toBeVisible();
  await expect.element(page.getByRole('heading', { name: '1 campaign', exact: true })).toBeVisible();
  const headers = page.getByRole('columnheader').elements();
  expect(headers.map((header) => header.textContent)).toEqual([
    '',
    'Name',
    'Project',
    'Segment',
    'Status',
    'Progress',
    'Created',
    'Actions',
  ]);
});

test('loads in its final size, and announces it', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  open(() => promise);
  await expect.element(page.getByRole('status').filter({ hasText: 'Loading campaigns...' })).toBeInTheDocument();
  await expect.element(page.getByRole('table')).toHaveAttribute('aria-busy', 'true');
  resolve({ body: { data: [sampleCampaign()] } });
  await expect.element(page.getByText('Loading campaigns...')).not.toBeInTheDocument();
});

test('without a campaign there is a way to the first one', async () => {
  withCampaigns();
  await expect.element(page.getByText('No campaigns yet. Create your first one.')).toBeVisible();
  expect(page.getByRole('search').elements()).toEqual([]);
  await page.getByRole('button', { name: 'New Campaign' }).last().click();
  await expect.element(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('the dialog closes on the backdrop, and keeps what was typed as a draft', async () => {
  withCampaigns();
  const openDialog = () => page.getByRole('button', { name: 'New Campaign' }).first().click();
  const clickBackdrop = () => userEvent.click(document.body, { position: { x: 5, y: 5 }, force: true });
  await openDialog();
  await expect.element(dialog).toBeVisible();
  await clickBackdrop();
  await expect.element(dialog).not.toBeInTheDocument();
  await openDialog();
  await page.getByRole('textbox', { name: 'Name' }).fill('Spring');
  await clickBackdrop();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByText('Kept as a draft')).toBeVisible();
});

test('says that they could not be fetched, and tries again when asked', async () => {
  let isRefused = true;
  open(() => (isRefused ? problem(500, 'unexpected', '') : { body: { data: [sampleCampaign()] } }));
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to fetch automations');
  isRefused = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByRole('link', { name: 'Installed follow-up' })).toBeVisible();
});

test('Refresh asks anew; where that fails the rows stay', async () => {
  let name = 'Spring';
  const { asked } = open(() =>
    name === '' ? problem(503, 'not_ready', '') : { body: { data: [sampleCampaign({ name, status: 'completed' })] } },
  );
  await expect.element(page.getByRole('link', { name: 'Spring' })).toBeVisible();
  name = 'Summer';
  await refresh.click();
  await expect.element(page.getByRole('link', { name: 'Summer' })).toBeVisible();
  expect(asked()).toBe(2);
  name = '';
  await refresh.click();
  await expect.element(page.getByRole('alert').filter({ hasText: 'Failed to fetch automations' })).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Summer' })).toBeVisible();
});

test('asks again every five seconds while a campaign runs, and then no more', async () => {
  const pass = holdTimers();
  let status: Campaign['status'] = 'creating';
  const { asked } = open(() => ({ body: { data: [sampleCampaign({ status })] } }));
  await expect.element(rows.nth(1)).toHaveTextContent('Creating');
  pass(4_000);
  expect(asked()).toBe(1);
  status = 'running';
  pass(1_000);
  await expect.element(rows.nth(1)).toHaveTextContent('Running');
  status = 'completed';
  pass(5_000);
  await expect.element(rows.nth(1)).toHaveTextContent('Completed');
  pass(60_000);
  expect(asked()).toBe(3);
});

test('a refresh by itself that fails is logged alone', async () => {
  const pass = holdTimers();
  const log = vi.spyOn(console, 'warn').mockReturnValue();
  onTestFinished(() => log.mockRestore());
  let isRefused = false;
  open(() => (isRefused ? problem(500, 'unexpected', '') : { body: { data: [sampleCampaign()] } }));
  await expect.element(rows.nth(1)).toHaveTextContent('Running');
  isRefused = true;
  pass(5_000);
  await expect.poll(() => log.mock.calls.length).toBeGreaterThan(0);
  await expect.element(rows.nth(1)).toHaveTextContent('Running');
  expect(getToasts()).toEqual([]);
});

test('the last page stands in for one that is not there any more', async () => {
  const answer = ({ url }: Request) => {
    const asked = Number(new URL(url).searchParams.get('page'));
    const data = asked === 2 ? [sampleCampaign({ name: 'No. 0' })] : [];
    return { body: { data, total: 51, page: asked, pageSize: 50, next_cursor: null, under_way: 0 } };
  };
  open(answer, { path: '/campaigns?page=9' });
  await expect.element(page.getByText('51–51 of 51')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'No. 0', exact: true })).toBeVisible();
});

/** As wide as the shell leaves the page. */
test.each([
  [1024, 720],
  [1280, 976],
  [1440, 1136],
])('nothing of the table is cut off on a screen of %s', async (width, room) => {
  await page.viewport(width, 900);
  const campaigns = [
    sampleCampaign({ id: 5, status: 'scheduled', when: '2099-01-15T09:00:00.000Z' }),
    sampleCampaign({ name: 'The winter stock of week 47', segment_name: 'Everybody who bought something this year' }),
  ];
  open(() => ({ body: { data: campaigns } }), { room });
  const table = page.getByRole('table', { name: 'Campaigns' });
  await expect.element(rows.nth(1)).toHaveTextContent('Scheduled');
  await document.fonts.ready;
  expect(table.element().scrollWidth).toBeLessThanOrEqual(table.element().parentElement?.clientWidth ?? 0);
});

test('becomes cards on a phone, each with its whole name', async () => {
  await page.viewport(390, 844);
  withCampaigns(sampleCampaign({ name: 'The winter stock of week 47 is here, come and see' }));
  const card = page.getByRole('list', { name: 'Campaigns' }).getByRole('listitem');
  const link = card.getByRole('link');
  await expect.element(link).toBeVisible();
  await document.fonts.ready;
  const { scrollWidth, scrollHeight, clientWidth, clientHeight } = link.element();
  expect({ width: scrollWidth, height: scrollHeight }).toEqual({ width: clientWidth, height: clientHeight });
  await expect.element(card).toHaveTextContent(/ProjectLarkspur Store.*Segment: Installed users.*StatusRunning.*4\/10/);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});
