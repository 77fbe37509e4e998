import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Flow, FlowDelivery } from '#contracts/flows.ts';
import type { Review } from '#contracts/reviews.ts';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import {
  noSkips,
  sampleFlow,
  sampleMembership,
  sampleProject,
  sampleSubscription,
  sampleUser,
} from '#web/testing/samples.ts';
import { setCurrentUser } from '#web/shared/session.ts';
import { dismissToast, getToasts } from '#web/shared/ui/toast-store.ts';
import { FlowsPage } from './flows-page.tsx';

type Answers = Record<string, (request: Request) => Answer | Promise<Answer>>;

function open(flows: readonly Flow[], answers: Answers = {}, path = '/flows') {
  const requests = answerRequests({
    'GET /api/flows': () => ({ body: { data: flows } }),
    'GET /api/projects': () => ({ body: { data: [sampleProject()] } }),
    'GET /api/saved-views': () => ({ body: { data: [] } }),
    'GET /api/profile-fields': () => ({ body: { data: [] } }),
    'POST /api/flows/preview-count': () => ({ body: { count: 3, skipped: 0 } }),
    ...answers,
  });
  const { page: element, address } = inRouter(<FlowsPage />, path);
  render(element);
  return { requests, address };
}

const row = (name: string) => page.getByRole('row').filter({ hasText: name });
const menu = page.getByRole('button', { name: 'Actions for Trial ending soon' });
const countOf = (requests: Request[], method: string, path: string) =>
  requests.filter((request) => request.method === method && new URL(request.url).pathname === path).length;

function delivery(changes: Partial<FlowDelivery> = {}): FlowDelivery {
  return {
    id: 90,
    profile_id: 12,
    is_profile_deleted: false,
    profile_name: 'Ada Lindqvist',
    phone: '46701740605',
    project_id: 3,
    sent_at: '2026-11-20T09:12:00.000Z',
    created_at: '2026-11-20T09:11:00.000Z',
    message: 'Hi Ada',
    status: 'sent',
    message_id: 400,
    message_status: 'read',
    error: null,
    error_code: null,
    replied_at: null,
    clicked_at: null,
    ...changes,
  };
}

beforeEach(async () => {
  // Wide enough that no toast lies over a button.
  await page.viewport(1920, 1000);
  for (const { id } of getToasts()) dismissToast(id);
});

test('says that there are none, and that they could not be fetched', async () => {
  open([]);
  await expect.element(page.getByText('No flows yet. Create your first one above.')).toBeVisible();
});

test('says that they could not be fetched', async () => {
  open([], { 'GET /api/flows': () => problem(500, 'unexpected', '') });
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to fetch flows');
});

const headersOf = (table: ReturnType<typeof page.getByRole>) =>
  table
    .getByRole('columnheader')
    .elements()
    .map((header) => header.textContent);

test('loads in its final size, with a column for everything', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  open([], { 'GET /api/flows': () => promise });
  const table = page.getByRole('table', { name: 'Flows' });
  await expect.element(table).toHaveAttribute('aria-busy', 'true');
  await expect.element(page.getByRole('status').filter({ hasText: 'Loading flows...' })).toBeInTheDocument();
  expect(headersOf(table)).toEqual(['', 'Name', 'Project', 'Condition', 'Last Run', 'Active', 'Actions']);
  resolve({ body: { data: [sampleFlow()] } });
  await expect.element(page.getByText('Loading flows...')).not.toBeInTheDocument();
  await menu.click();
  await expect.element(page.getByRole('menu')).toBeVisible();
  const items = page.getByRole('menuitem').elements();
  expect(items.map((item) => item.textContent)).toEqual([
    'Report',
    'Deliveries',
    'Edit',
    'Duplicate',
    'Deactivate',
    'Delete',
  ]);
});

test('shows a flow as a sentence, with what it has sent and waits for', async () => {
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000).toISOString();
  const rules = [
    { fieldPath: 'custom_fields.plan', operator: 'equals', value: 'trial' },
    { fieldPath: 'email', operator: 'exists', value: '' },
  ];
  const counts = {
    waiting: 12,
    sent: 1204,
    failed: 3,
    skipped: 0,
    delivered: 1190,
    read: 900,
    replied: 12,
    opted_out: 0,
    clicked: 0,
  };
  open([
    sampleFlow({ conditions: rules, counts, waiting_for: 'no_connected_phone', last_run_at: twoDaysAgo }),
    sampleFlow({ id: 6, name: 'Paused', active: false }),
  ]);
  const first = row('Trial ending soon');
  await expect
    .element(first.getByRole('cell').nth(3))
    .toHaveTextContent('custom_fields.plan equals trial and email exists and updated_at is within the last 24 hours');
  await expect.element(first).toHaveTextContent('1,204 sent, 3 failed, 12 waiting');
  await expect.element(first).toHaveTextContent('Waiting for a connected phone');
  await expect.element(first.getByRole('cell').nth(2)).toHaveTextContent('Larkspur Store');
  await expect.element(first.getByRole('cell').nth(4)).toHaveTextContent('2d ago');
  await expect.element(first.getByRole('cell').nth(5)).toHaveTextContent(/^Active$/);
  await expect.element(row('Paused').getByRole('cell').nth(4)).toHaveTextContent(/^–$/);
  await expect.element(row('Paused').getByRole('cell').nth(5)).toHaveTextContent(/^Inactive$/);
});

test('Run now says what it came to and reloads the list', async () => {
  const { requests } = open([sampleFlow()], {
    'POST /api/flows/5/run': () => ({ body: { flow: sampleFlow(), matched: 4, queued: 3, skipped: 1 } }),
  });
  await page.getByRole('button', { name: 'Run now Trial ending soon' }).click();
  await expect.element(page.getByText('3 messages queued, 1 skipped')).toBeVisible();
  await expect.poll(() => countOf(requests, 'GET', '/api/flows')).toBe(2);
});

test('says that a run failed', async () => {
  open([sampleFlow()], { 'POST /api/flows/5/run': () => problem(503, 'too_costly', '') });
  await page.getByRole('button', { name: 'Run now Trial ending soon' }).click();
  await expect.element(page.getByText('Failed to run flow')).toBeVisible();
});

test('is deactivated from the menu by keyboard', async () => {
  const { requests } = open([sampleFlow()], {
    'PUT /api/flows/5': () => ({ body: sampleFlow({ active: false }) }),
  });
  await expect.element(menu).toBeVisible();
  (menu.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('menuitem', { name: 'Report' })).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(page.getByRole('menuitem', { name: 'Deliveries' })).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(page.getByRole('menuitem', { name: 'Edit' })).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(page.getByRole('menuitem', { name: 'Duplicate' })).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(page.getByRole('menuitem', { name: 'Deactivate' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Flow deactivated')).toBeVisible();
  const put = requests.find(({ method }) => method === 'PUT');
  expect(await put?.json()).toEqual({ active: false });
});

const emptyReview: Review = {
  total: 0,
  will_receive: 0,
  is_estimate: false,
  warnings: [],
  skipped: noSkips,
  duplicates: 0,
  capped_waiting: 0,
  placeholders: [],
  media: null,
  template: null,
  languages: [],
  cost: null,
  forecast: null,
  samples: [],
};

test('an activation says how many match already, and leaves them out when asked to', async () => {
  const { requests } = open([sampleFlow({ active: false })], {
    'POST /api/flows/preview-count': () => ({ body: { count: 1284, skipped: 0, warning: null } }),
    'PUT /api/flows/5': () => ({ body: sampleFlow() }),
  });
  const question = page.getByRole('alertdialog', { name: 'Activate “Trial ending soon”?' });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Activate' }).click();
  await expect.element(question).toHaveAccessibleDescription(/^1,284 profiles match already\./);
  await question.getByRole('button', { name: 'Only new matches' }).click();
  await expect.element(page.getByText('Flow activated')).toBeVisible();
  await expect.element(question).not.toBeInTheDocument();
  await menu.click();
  await page.getByRole('menuitem', { name: 'Activate' }).click();
  await question.getByRole('button', { name: 'Send to them too' }).click();
  await expect.element(question).not.toBeInTheDocument();
  const puts = requests.filter(({ method }) => method === 'PUT');
  expect(await Promise.all(puts.map((put) => put.json()))).toEqual([
    { active: true, skip_current: true },
    { active: true },
  ]);
});

test('where nobody matches yet, an activation shows its review and has nothing to ask about', async () => {
  open([sampleFlow({ active: false })], {
    'POST /api/flows/preview-count': () => ({ body: { count: 0, skipped: 0, warning: 'Nobody can match.' } }),
    'POST /api/flows/preview': () => ({ body: emptyReview }),
  });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Activate' }).click();
  const question = page.getByRole('alertdialog');
  await expect.element(question).toHaveAccessibleDescription(/^No profile matches now\./);
  await expect.element(question.getByText('Nobody can match.')).toBeVisible();
  await expect.element(question).toHaveTextContent('Who gets it0of 0');
  await expect
    .element(question.getByRole('region', { name: 'Message' }))
    .toHaveTextContent(sampleFlow().action.message);
  await expect.element(question.getByRole('button', { name: 'Activate' })).toBeEnabled();
  expect(question.getByRole('button', { name: 'Only new matches' }).elements()).toHaveLength(0);
});

test('the review of an activation goes by the topic of the flow, and by what becomes of whoever has had enough', async () => {
  const { requests } = open([sampleFlow({ active: false, topic_id: 8, when_capped: 'wait' })], {
    'POST /api/flows/preview': () => ({ body: emptyReview }),
  });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Activate' }).click();
  await expect.element(page.getByRole('alertdialog')).toHaveTextContent('Who gets it0of 0');
  const preview = requests.find(({ url }) => url.endsWith('/api/flows/preview'));
  expect(await preview?.json()).toMatchObject({ topic_id: 8, when_capped: 'wait' });
});

test('says that the last search failed, and when it tries again', async () => {
  open([sampleFlow({ last_error: 'It took too long', next_try_at: '2026-11-20T09:12:00.000Z' })]);
  await expect.element(row('Trial ending soon')).toHaveTextContent(/It took too long\. It tries again at \d\d:12\./);
});

test('is deleted after a question that names it', async () => {
  const { requests } = open([sampleFlow()], {
    'DELETE /api/flows/5': () => problem(500, 'unexpected', ''),
  });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete this flow?' });
  await expect
    .element(question)
    .toHaveAccessibleDescription(
      '“Trial ending soon” stops at once: messages that wait are not sent. What was sent stays in the records. This cannot be undone.',
    );
  await expect.element(page.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect.element(page.getByText('Failed to delete flow')).toBeVisible();
  await expect.element(question).toBeVisible();
  expect(countOf(requests, 'DELETE', '/api/flows/5')).toBe(1);
});

test('a deletion that can be undone says so, and nothing against it', async () => {
  setCurrentUser({
    user: sampleUser(),
    subscription: sampleSubscription(),
    suspension: null,
    ...sampleMembership(),
  });
  open([sampleFlow()]);
  await menu.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect
    .element(page.getByRole('alertdialog', { name: 'Delete this flow?' }))
    .toHaveAccessibleDescription(
      '“Trial ending soon” stops at once: messages that wait are not sent. What was sent stays in the records. You can undo it right after.',
    );
});

test('is duplicated into the form of a new one, which is made only when it is saved', async () => {
  const { requests } = open([sampleFlow()], {
    'POST /api/flows': () => ({ status: 201, body: sampleFlow({ id: 6 }) }),
  });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create Flow' });
  await expect.element(dialog.getByLabelText('Name')).toHaveValue('Copy of Trial ending soon');
  expect(countOf(requests, 'POST', '/api/flows')).toBe(0);
  await dialog.getByRole('button', { name: 'Create Flow' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(countOf(requests, 'POST', '/api/flows')).toBe(1);
});

test('its name opens the editor, which the address keeps', async () => {
  const { address } = open([sampleFlow()]);
  await page.getByRole('link', { name: 'Trial ending soon' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Edit Flow' })).toBeVisible();
  expect(address()).toBe('/flows/5/edit');
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(address()).toBe('/flows');
});

test('lists its deliveries, fifty a page', async () => {
  const asked: string[] = [];
  const { address } = open(
    [sampleFlow()],
    {
      'GET /api/flows/5/deliveries': ({ url }) => {
        const { searchParams } = new URL(url);
        asked.push(searchParams.toString());
        const isFirst = searchParams.get('page') === '1';
        return { body: { deliveries: [delivery({ id: isFirst ? 90 : 30 })], total: 100, page: 1, pageSize: 50 } };
      },
    },
    '/flows?deliveries=5',
  );
  const dialog = page.getByRole('dialog', { name: 'Deliveries — Trial ending soon' });
  await expect.element(dialog.getByText('Total: 100')).toBeVisible();
  expect(headersOf(dialog)).toEqual(['Profile ID', 'Project', 'Sent At', 'Message', 'Status']);
  const prev = dialog.getByRole('button', { name: 'Prev' });
  const next = dialog.getByRole('button', { name: 'Next' });
  await expect.element(prev).toBeDisabled();
  await expect.element(dialog.getByRole('link', { name: '12' })).toHaveAttribute('href', '/profiles/12');
  await expect
    .element(dialog.getByRole('link', { name: 'Read' }))
    .toHaveAttribute('href', expect.stringMatching(/^\/projects\/3\?number=.*46701740605/));
  await next.click();
  await expect.element(dialog.getByText('Page 2')).toBeVisible();
  await expect.element(next).toBeDisabled();
  expect(address()).toContain('sent=2');
  expect([...new Set(asked)]).toEqual(['page=1&pageSize=50', 'page=2&pageSize=50']);
  await prev.click();
  await expect.element(dialog.getByText('Page 1')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('a delivery that waits or was skipped says so', async () => {
  const rows = [
    delivery({ id: 92, sent_at: null, status: 'waiting', message_id: null, message_status: null }),
    delivery({
      id: 91,
      profile_id: 13,
      is_profile_deleted: true,
      profile_name: null,
      sent_at: null,
      status: 'skipped',
      message_id: null,
      message_status: null,
      error: 'The number is not valid',
    }),
  ];
  const answer = { body: { deliveries: rows, total: 2, page: 1, pageSize: 50 } };
  open([sampleFlow()], { 'GET /api/flows/5/deliveries': () => answer }, '/flows?deliveries=5');
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByText('Waiting')).toBeVisible();
  await expect.element(dialog.getByText('13 (deleted)')).toBeVisible();
  await expect.element(dialog.getByText('The number is not valid')).toBeVisible();
  expect(dialog.getByRole('link').elements()).toHaveLength(1);
  await expect.element(dialog.getByRole('button', { name: 'Next' })).toBeDisabled();
});

test('a delivery names its person beside the id, with a gap also from right to left, or else the number for reading', async () => {
  const rows = [
    delivery({ id: 92, profile_id: 12, profile_name: 'חנות' }),
    delivery({ id: 91, profile_id: 13, profile_name: null }),
  ];
  const answer = { body: { deliveries: rows, total: 2, page: 1, pageSize: 50 } };
  open([sampleFlow()], { 'GET /api/flows/5/deliveries': () => answer }, '/flows?deliveries=5');
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByText('+46 70 174 06 05')).toBeVisible();
  const id = dialog.getByRole('link', { name: '12', exact: true }).element().getBoundingClientRect();
  const name = dialog.getByText('חנות').element().getBoundingClientRect();
  expect(name.left).toBeGreaterThan(id.right);
});

test('has no deliveries yet', async () => {
  const answer = { body: { deliveries: [], total: 0, page: 1, pageSize: 50 } };
  open([sampleFlow()], { 'GET /api/flows/5/deliveries': () => answer });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Deliveries' }).click();
  await expect.element(page.getByText('No deliveries yet.')).toBeVisible();
  await expect.element(page.getByText('Total: 0')).toBeVisible();
});

test('becomes cards on a phone', async () => {
  await page.viewport(390, 844);
  open([sampleFlow()]);
  const cards = page.getByRole('list', { name: 'Flows' });
  await expect.element(cards).toBeVisible();
  await expect.element(cards.getByText('Larkspur Store').last()).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});

test('a flow that could not be loaded keeps its address, and comes when asked again', async () => {
  let isDown = true;
  const flow = sampleFlow({ id: 5 });
  const { address } = open(
    [],
    { 'GET /api/flows/5': () => (isDown ? problem(500, 'internal', 'The server failed') : { body: flow }) },
    '/flows/5/edit',
  );
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('The server failed');
  expect(address()).toBe('/flows/5/edit');
  isDown = false;
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect.element(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue(flow.name);
});
