import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Campaign } from '#contracts/campaigns.ts';
import type { Review } from '#contracts/reviews.ts';
import { setUser } from '#web/shared/session.ts';
import { dismissToast, getToasts } from '#web/shared/ui/toast-store.ts';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { formatDateTime } from '#web/shared/time-format.ts';
import { render } from '#web/testing/render.tsx';
import { sampleCampaign, sampleProject, sampleSegment, sampleUser, noSkips } from '#web/testing/samples.ts';
import { CampaignDialog } from './campaign-dialog.tsx';

const preview: Review = {
  total: 1284,
  will_receive: 1272,
  is_estimate: false,
  warnings: [],
  skipped: { ...noSkips, invalid_number: 8, opted_out: 4 },
  duplicates: 0,
  capped_waiting: 0,
  placeholders: [],
  media: null,
  template: null,
  languages: [],
  cost: null,
  forecast: null,
  samples: [
    { profile_id: 5, name: 'Ada Lindqvist', phone: '46701740605', message: 'Hi Ada Lindqvist', template: null },
    { profile_id: 6, name: null, phone: '61491570156', message: 'Hi ', template: null },
  ],
};

type Answers = Record<string, (request: Request) => Answer | Promise<Answer>>;

function open(campaign?: Campaign, answers: Answers = {}): Request[] {
  const requests = answerRequests({
    'GET /api/projects': () => ({
      body: { data: [sampleProject(), sampleProject({ id: 8, name: 'Old shop', is_connected: false })] },
    }),
    'GET /api/segments': () => ({ body: { data: [sampleSegment(), sampleSegment({ id: 10, name: 'Germany' })] } }),
    'GET /api/topics': () => ({ body: { data: [] } }),
    'GET /api/profile-fields': () => ({
      body: { data: [{ path: 'name', types: ['string'], sample: 'Ada', profiles: 4 }] },
    }),
    // The review asks with the project; what goes to few is not asked about.
    'POST /api/campaigns/preview': async (request) => ({
      body: 'project_id' in ((await request.json()) as object) ? { ...preview, will_receive: 8 } : preview,
    }),
    'POST /api/campaigns': () => ({ status: 201, body: sampleCampaign() }),
    'PUT /api/campaigns/4': () => ({ body: sampleCampaign() }),
    ...answers,
  });
  setUser(sampleUser({ timezone: 'Asia/Tokyo' }));
  render(inRouter(<Example campaign={campaign} />).page);
  return requests;
}

function Example({ campaign }: { campaign: Campaign | undefined }) {
  const [isOpen, setOpen] = useState(true);
  return isOpen && <CampaignDialog {...(campaign && { campaign })} onClose={() => setOpen(false)} />;
}

const dialog = page.getByRole('dialog', { name: /Campaign/ });
const nameField = page.getByRole('textbox', { name: 'Name' });
const project = page.getByRole('combobox', { name: 'Project' });
const segment = page.getByRole('combobox', { name: 'Segment', exact: true });

async function choose(name: string): Promise<void> {
  await segment.click();
  await page.getByRole('option', { name }).click();
}

const message = page.getByRole('textbox', { name: 'Message' });
const create = page.getByRole('button', { name: 'Create Campaign' });
const save = page.getByRole('button', { name: 'Save Changes' });

/** The body last sent there. */
function bodyOf(requests: Request[], method: string, path: string): Promise<unknown> | undefined {
  return requests
    .findLast((request) => request.method === method && new URL(request.url).pathname === path)
    ?.clone()
    .json();
}

beforeEach(async () => {
  await page.viewport(1600, 1100);
  for (const { id } of getToasts()) dismissToast(id);
});

test('is made by keyboard alone, at once and as fast as it can', async () => {
  const requests = open();
  await expect.element(nameField).toHaveFocus();
  await expect.element(nameField).toHaveAttribute('placeholder', 'Installed follow-up');
  await expect.element(project).toHaveDisplayValue('Larkspur Store');
  await expect.element(segment).toHaveAccessibleDescription('Pick the target segment for this campaign.');
  await expect
    .element(message)
    .toHaveAccessibleDescription('Supports placeholders like {name}, {shop} similar to Bulk Send.');
  await userEvent.keyboard('Spring{Tab}{Tab}');
  await expect.element(segment).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('option', { name: 'Germany' })).toBeVisible();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(segment).toHaveTextContent('Germany');
  await expect.element(segment).toHaveFocus();
  await userEvent.keyboard('{Tab}{Tab}{Tab}Hi {{name}');
  await expect.element(create).toBeEnabled();
  (nameField.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Campaign created')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(await bodyOf(requests, 'POST', '/api/campaigns')).toEqual({
    name: 'Spring',
    project_id: 3,
    segment_id: 10,
    message: 'Hi {name}',
    when: null,
    duration: null,
    recheck_members: null,
  });
});

const counted = {
  count: 2,
  total: 40,
  served_by: 'scan',
  sample: [],
  lines: [{ path: 'expression.all.0', count: 2, unreadable: 0 }],
};

test('goes to people of its own in place of a segment, and back', async () => {
  const requests = open(undefined, {
    'GET /api/fields': () => ({ body: { data: [] } }),
    'GET /api/profile-fields/values': () => ({ body: { data: [], is_complete: true } }),
    'POST /api/segments/preview': () => ({ body: counted }),
  });
  await nameField.fill('Spring');
  await message.fill('Hi');
  await page.getByRole('button', { name: 'People who…' }).click();
  const builder = page.getByRole('dialog', { name: 'People who…' });
  await builder.getByRole('button', { name: 'Use these people' }).click();
  await expect.element(builder.getByRole('alert')).toHaveTextContent('Choose a field');
  await builder.getByRole('combobox', { name: 'Field', exact: true }).fill('status');
  await builder.getByRole('combobox', { name: 'Value' }).fill('vip');
  await expect.element(builder.getByText('Matches 2 of 40 profiles')).toBeVisible();
  await builder.getByRole('button', { name: 'Use these people' }).click();
  await expect.element(page.getByText('People who match: Status is “vip”.')).toBeVisible();
  await create.click();
  await expect.element(page.getByText('Campaign created')).toBeVisible();
  const body = await bodyOf(requests, 'POST', '/api/campaigns');
  expect(body).toMatchObject({ expression: { all: [{ field: 'status', op: 'equals', value: 'vip' }] } });
  expect(body).not.toHaveProperty('segment_id');
});

test('a refusal of its own people stands beneath them, and a segment may take their place', async () => {
  const expression = { all: [{ field: 'custom_fields.spent', op: 'gt' as const, value: '5' }] };
  open(sampleCampaign({ sent_count: 0, failed_count: 0, segment_id: null, segment_name: null, expression }), {
    'PUT /api/campaigns/4': () => ({
      status: 422,
      body: {
        code: 'invalid_input',
        message: 'Invalid input',
        request_id: 'test',
        errors: [{ path: 'expression.all.0.value', message: 'Enter a number' }],
      },
    }),
  });
  await save.click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Enter a number');
  await page.getByRole('button', { name: 'Choose a segment instead' }).click();
  await expect.element(segment).toHaveTextContent('Select a segment');
});

test('says what becomes of members who have left the segment', async () => {
  const requests = open(sampleCampaign({ recheck_members: true }));
  const recheck = page.getByRole('combobox', { name: 'If someone leaves the segment while waiting' });
  await expect.element(recheck).toHaveDisplayValue('Always skip them');
  await recheck.selectOptions('Send anyway');
  await save.click();
  await expect.element(page.getByText('Campaign updated')).toBeVisible();
  expect(await bodyOf(requests, 'PUT', '/api/campaigns/4')).toMatchObject({ recheck_members: false });
});

test('can be saved only once name, project, segment and message are there', async () => {
  open(undefined, {
    'GET /api/projects': () => ({
      body: { data: [sampleProject(), sampleProject({ id: 5, name: 'Second' })] },
    }),
  });
  await expect.element(project).toHaveDisplayValue('Select a project');
  await nameField.fill('Spring');
  await choose('Germany');
  await message.fill('  ');
  await project.selectOptions('Second');
  await expect.element(create).toBeDisabled();
  await message.fill('Hi');
  await expect.element(create).toBeEnabled();
  await nameField.fill(' ');
  await expect.element(create).toBeDisabled();
  await nameField.fill('Spring');
  await project.selectOptions('Select a project');
  await expect.element(create).toBeDisabled();
});

test('offers connected projects alone, and ways to what is missing', async () => {
  open(undefined, {
    'GET /api/projects': () => ({ body: { data: [sampleProject({ is_connected: false })] } }),
    'GET /api/segments': () => ({ body: { data: [] } }),
  });
  await expect.element(project).toHaveAccessibleDescription('Connect a WhatsApp project first.');
  await expect.element(page.getByRole('option', { name: 'Larkspur Store' })).not.toBeInTheDocument();
  await expect.element(page.getByRole('link', { name: 'View Projects' })).toHaveAttribute('href', '/projects');
  await expect.element(page.getByRole('link', { name: 'Create a segment' })).toHaveAttribute('href', '/segments');
});

test('a project that is connected and cannot send now says why, and until when messages wait', async () => {
  const reason = 'Every connected phone number has reached its maximum for today';
  const until = '2026-11-23T00:00:00.000Z';
  const sending = { can_send: false, connector: null, reason: 'daily_limit_reached', message: reason, until } as const;
  open(undefined, { 'GET /api/projects': () => ({ body: { data: [sampleProject({ sending })] } }) });
  await expect.element(project).toHaveDisplayValue('Larkspur Store (cannot send now)');
  await expect.element(project).toHaveAccessibleDescription(`${reason}. Messages wait until ${formatDateTime(until)}.`);
});

test('says what could not be fetched', async () => {
  const refusal = () => problem(500, 'unexpected', '');
  open(undefined, { 'GET /api/projects': refusal, 'GET /api/segments': refusal });
  await expect.element(project).toHaveAccessibleDescription('Failed to fetch projects');
  await expect.element(segment).toHaveAccessibleDescription('Failed to fetch segments');
});

test('shows how members will read it, and who gets it', async () => {
  const requests = open();
  const bubble = page.getByRole('region', { name: 'Message Preview, scrolling' });
  await message.fill('Hi {name}');
  await expect.element(bubble).toHaveTextContent('Hi John');
  await choose('Installed users');
  await expect.element(bubble).toHaveTextContent('Hi Ada Lindqvist');
  await expect
    .element(page.getByText('1,272 profiles of 1,284 will get it. Skipped: 4 opted out, 8 with an invalid number.'))
    .toBeVisible();
  await page.getByRole('button', { name: 'Next sample' }).click();
  await expect.element(page.getByText('2 of 2')).toBeVisible();
  await expect.element(page.getByText('+61 491 570 156')).toBeVisible();
  await page.getByRole('button', { name: 'Next sample' }).click();
  await expect.element(page.getByText('1 of 2')).toBeVisible();
  await page.getByRole('button', { name: 'Previous sample' }).click();
  await expect.element(page.getByText('2 of 2')).toBeVisible();
  await expect
    .poll(() => bodyOf(requests, 'POST', '/api/campaigns/preview'))
    .toEqual({ segment_id: 9, message: 'Hi {name}' });
});

test.each([
  [{ total: 0, skipped: { ...noSkips, invalid_number: 0, opted_out: 0 } }, 'Nobody is in this segment now.'],
  [
    { total: 3, skipped: { ...noSkips, invalid_number: 2, opted_out: 1 } },
    'Nobody in this segment can get it. Skipped: 1 opted out, 2 with an invalid number.',
  ],
])('warns when nobody would get it: %j', async (counts, text) => {
  open(undefined, {
    'POST /api/campaigns/preview': () => ({ body: { ...preview, will_receive: 0, samples: [], ...counts } }),
  });
  await choose('Germany');
  await expect.element(page.getByText(text)).toBeVisible();
});

test('starts later, on the clocks of the account, and spreads', async () => {
  const requests = open();
  await nameField.fill('Spring');
  await choose('Germany');
  await message.fill('Hi');
  await page.getByRole('combobox', { name: 'Start' }).selectOptions('At a date and time');
  await page.getByRole('combobox', { name: 'Pace' }).selectOptions('Spread over time');
  await page.getByRole('combobox', { name: 'Unit' }).selectOptions('hours');
  await page.getByRole('spinbutton', { name: 'Spread over' }).fill('2');
  const when = page.getByLabelText('Date and time');
  await expect.element(when).toHaveAccessibleDescription('Time zone: Asia/Tokyo');
  await when.fill('2020-01-15T09:00');
  await create.click();
  await expect.element(when).toHaveAccessibleDescription(/^Choose a time still to come Time zone: Asia\/Tokyo/);
  await when.fill('15 Jan 2099');
  await expect.element(when).toHaveAccessibleDescription(/Thursday,? 15 January 2099$/);
  await page.getByRole('textbox', { name: 'Time', exact: true }).fill('9 am');
  await create.click();
  await expect.element(page.getByText('Campaign created')).toBeVisible();
  expect(await bodyOf(requests, 'POST', '/api/campaigns')).toMatchObject({
    when: '2099-01-15T00:00:00.000Z',
    duration: 120,
  });
});

test('locks what has begun, and saves everything else', async () => {
  const requests = open(sampleCampaign({ segment_id: 77, segment_name: null, project_id: 8 }));
  await expect.element(project).toHaveDisplayValue('Old shop (not connected)');
  await expect.element(segment).toHaveTextContent('Segment #77 (deleted)');
  await expect.element(project).toBeDisabled();
  await expect.element(segment).toHaveAccessibleDescription('The first messages have gone out.');
  await expect.element(page.getByRole('combobox', { name: 'Start' })).toBeDisabled();
  await expect.element(page.getByText('will get it')).not.toBeInTheDocument();
  await message.fill('Hi again');
  await save.click();
  await expect.element(page.getByText('Campaign updated')).toBeVisible();
  expect(await bodyOf(requests, 'PUT', '/api/campaigns/4')).toEqual({
    name: 'Installed follow-up',
    message: 'Hi again',
    duration: null,
    recheck_members: null,
  });
});

test('of a campaign that is over only the name can be changed', async () => {
  const requests = open(sampleCampaign({ status: 'completed' }));
  await expect.element(dialog).toHaveAccessibleDescription('This campaign is over: only its name can be changed.');
  await expect.element(message).toBeDisabled();
  await expect.element(page.getByRole('combobox', { name: 'Pace' })).toBeDisabled();
  await nameField.fill('Renamed');
  await save.click();
  await expect.element(page.getByText('Campaign updated')).toBeVisible();
  expect(await bodyOf(requests, 'PUT', '/api/campaigns/4')).toEqual({ name: 'Renamed' });
});

test.each([
  [undefined, 'Creating...'],
  [sampleCampaign(), 'Saving...'],
])('while it is being saved the button says so: %#', async (campaign, words) => {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  open(campaign, { 'POST /api/campaigns': () => promise, 'PUT /api/campaigns/4': () => promise });
  if (campaign === undefined) {
    await nameField.fill('Spring');
    await choose('Germany');
    await message.fill('Hi');
  }
  await (campaign === undefined ? create : save).click();
  await expect.element(page.getByRole('button', { name: words })).toBeDisabled();
  resolve({ body: sampleCampaign() });
  await expect.element(dialog).not.toBeInTheDocument();
});

test("puts the server's complaint on its field", async () => {
  const complaint: Answer = {
    status: 422,
    body: { code: 'invalid_input', message: 'Check', errors: [{ path: 'segment_id', message: 'No such segment' }] },
  };
  open(sampleCampaign({ status: 'scheduled', sent_count: 0, failed_count: 0 }), {
    'PUT /api/campaigns/4': () => complaint,
  });
  await save.click();
  await expect
    .element(segment)
    .toHaveAccessibleDescription('No such segment Pick the target segment for this campaign.');
});

test.each([
  [undefined, '', 'Failed to create automation'],
  [sampleCampaign(), '', 'Failed to update automation'],
  [sampleCampaign(), 'The project is gone', 'The project is gone'],
])('says what failed', async (campaign, words, text) => {
  const refusal = () => problem(409, 'conflict', words);
  open(campaign, { 'POST /api/campaigns': refusal, 'PUT /api/campaigns/4': refusal });
  if (campaign === undefined) {
    await nameField.fill('Spring');
    await choose('Germany');
    await message.fill('Hi');
  }
  await page.getByRole('button', { name: campaign === undefined ? 'Create Campaign' : 'Save Changes' }).click();
  await expect.element(page.getByRole('alert').filter({ hasText: text })).toBeVisible();
  await expect.element(dialog).toBeVisible();
});

test('a message to many is reviewed first: Back keeps the form, the button says the number', async () => {
  const forecast = {
    starts_at: new Date().toISOString(),
    done_at: null,
    count: 36_500,
    phones: 1,
    days: [],
    waiting_for: null,
  };
  const placeholders = [
    { placeholder: '{plan}', path: 'plan', reads: 'you are on ', fallback: null, empty: 1272, is_unknown: true },
  ];
  const requests = open(undefined, {
    'POST /api/campaigns/preview': () => ({ body: { ...preview, capped_waiting: 9, forecast, placeholders } }),
  });
  await nameField.fill('Follow-up');
  await choose('Installed users');
  await message.fill('Hi {name}, you are on {plan}');
  await create.click();
  const review = page.getByRole('dialog', { name: 'Review “Follow-up”' });
  await expect
    .element(review)
    .toHaveTextContent('None of the 1,272 people has a plan; they read “you are on ”. Add a default: {plan|…}');
  await expect.element(review).toHaveTextContent('4 opted out, 8 with an invalid number');
  await expect.element(review).toHaveTextContent('9 wait until the caps allow another message');
  await expect.element(review).toHaveTextContent('This takes more than a year');
  await review.getByRole('button', { name: 'Back' }).click();
  const created = () => requests.filter(({ method, url }) => method === 'POST' && url.endsWith('/api/campaigns'));
  await expect.element(create).toBeEnabled();
  await expect.element(message).toHaveValue('Hi {name}, you are on {plan}');
  expect(created()).toEqual([]);
  await create.click();
  await review.getByRole('button', { name: 'Send to 1,272' }).click();
  await expect.element(page.getByText('Campaign created')).toBeVisible();
  expect(created()).toHaveLength(1);
});

test('another message of a scheduled campaign is reviewed like a new one, another name is not', async () => {
  const scheduled = sampleCampaign({
    status: 'scheduled',
    when: '2099-01-15T09:00:00.000Z',
    sent_count: 0,
    failed_count: 0,
  });
  const requests = open(scheduled, { 'POST /api/campaigns/preview': () => ({ body: preview }) });
  const saved = () => requests.filter(({ method }) => method === 'PUT');
  await message.fill('Hi {name}, you are on {plan}');
  await save.click();
  const review = page.getByRole('dialog', { name: 'Review “Installed follow-up”' });
  await review.getByRole('button', { name: 'Back' }).click();
  await expect.element(save).toBeEnabled();
  expect(saved()).toEqual([]);
  await save.click();
  await review.getByRole('button', { name: 'Schedule for 1,272' }).click();
  await expect.element(page.getByText('Campaign updated')).toBeVisible();
  expect(saved()).toHaveLength(1);
});

test('a campaign is reviewed though by an estimate it is for nobody, and says so where it is for many', async () => {
  let told: object = { total: 0, will_receive: 0, is_estimate: true };
  open(undefined, { 'POST /api/campaigns/preview': () => ({ body: { ...preview, ...told } }) });
  await nameField.fill('Follow-up');
  await choose('Installed users');
  await message.fill('Hi');
  await create.click();
  const review = page.getByRole('dialog', { name: 'Review “Follow-up”' });
  await expect.element(review).toHaveTextContent('hardly any');
  await expect.element(review.getByRole('button', { name: 'Send to all of them' })).toBeEnabled();
  await review.getByRole('button', { name: 'Back' }).click();
  told = { total: 13_000, will_receive: 12_000, is_estimate: true };
  await create.click();
  await expect.element(review).toHaveTextContent('of about 13,000');
  await review.getByRole('button', { name: 'Send to about 12,000' }).click();
  await expect.element(page.getByText('Campaign created')).toBeVisible();
});

test('a message whose recipients cannot be counted is reviewed, too, and says why', async () => {
  const reason = 'This condition takes too long over this many profiles';
  open(undefined, { 'POST /api/campaigns/preview': () => problem(503, 'too_costly', reason) });
  await nameField.fill('Follow-up');
  await choose('Installed users');
  await message.fill('Hi');
  await create.click();
  const review = page.getByRole('dialog', { name: 'Review “Follow-up”' });
  await expect.element(review).toHaveTextContent(reason);
  await review.getByRole('button', { name: 'Send to all of them' }).click();
  await expect.element(page.getByText('Campaign created')).toBeVisible();
});
