import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Flow } from '#contracts/flows.ts';
import type { ProfileField } from '#contracts/profiles.ts';
import type { Project } from '#contracts/projects.ts';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import type { Review } from '#contracts/reviews.ts';
import { render } from '#web/testing/render.tsx';
import { sampleFlow, sampleProject, sampleSegment, noSkips } from '#web/testing/samples.ts';
import { dismissToast, getToasts } from '#web/shared/ui/toast-store.ts';
import { FlowDialog } from './flow-dialog.tsx';

const fields: ProfileField[] = [
  { path: 'updated_at', types: ['time'], sample: '2026-11-20T09:12:00.000Z', profiles: 40 },
  { path: 'custom_fields.plan', types: ['string'], sample: 'trial', profiles: 30 },
  { path: 'custom_fields.trial_ends_at', types: ['time'], sample: '2026-11-23', profiles: 12 },
];

const reviewed: Review = {
  total: 1284,
  will_receive: 1272,
  is_estimate: false,
  warnings: [],
  skipped: { ...noSkips, invalid_number: 8, opted_out: 4 },
  duplicates: 0,
  capped_waiting: 0,
  placeholders: [],
  samples: [{ profile_id: 5, name: 'Ada', phone: '46701740605', message: 'Hi Ada', template: null }],
  media: null,
  template: null,
  languages: [],
  cost: null,
  forecast: null,
};

type Answers = Record<string, (request: Request) => Answer | Promise<Answer>>;
type Options = { flow?: Flow; projects?: readonly Project[] | null; answers?: Answers };

async function open({ flow, projects = [sampleProject()], answers = {} }: Options = {}): Promise<Request[]> {
  const requests = answerRequests({
    'GET /api/profile-fields': () => ({ body: { data: fields } }),
    'GET /api/profile-fields/values': () => ({ body: { data: [{ value: 'Trial', profiles: 9 }], is_complete: true } }),
    'POST /api/flows/preview-count': () => ({ body: { count: 1284, skipped: 12 } }),
    'POST /api/flows/preview': () => ({ body: { ...reviewed, will_receive: 8 } }),
    'POST /api/flows': () => ({ status: 201, body: sampleFlow() }),
    'PUT /api/flows/5': () => ({ body: sampleFlow() }),
    ...answers,
  });
  render(inRouter(<Example flow={flow} projects={projects ?? undefined} />).page);
  await expect.element(dialog).toBeVisible();
  return requests;
}

type ExampleProps = { flow: Flow | undefined; projects: readonly Project[] | undefined };

function Example({ flow, projects }: ExampleProps) {
  const [isOpen, setOpen] = useState(true);
  return isOpen && <FlowDialog {...(flow && { flow })} projects={projects} onClose={() => setOpen(false)} />;
}

const dialog = page.getByRole('dialog', { name: /Flow/ });
const nameField = page.getByRole('textbox', { name: 'Name' });
const message = page.getByRole('textbox', { name: 'Message Template' });
const condition = (number: number) => page.getByRole('group', { name: `Condition ${number}` });
const pathOf = (number: number) => condition(number).getByRole('combobox', { name: 'Field path' });
const operatorOf = (number: number) => condition(number).getByRole('combobox', { name: 'Operator' });
const create = page.getByRole('button', { name: 'Create Flow' });
const saveChanges = page.getByRole('button', { name: 'Save Changes' });
/** In the review that comes before a flow is switched on. */
const activate = page.getByRole('button', { name: /^Activate/ });

const sent = (requests: Request[], method: string, path: string) =>
  requests.filter((request) => request.method === method && new URL(request.url).pathname === path);
const bodyOf = (requests: Request[], method: string, path: string): Promise<unknown> | undefined =>
  sent(requests, method, path).at(-1)?.json();

beforeEach(async () => {
  // Wide enough that no toast lies over a button.
  await page.viewport(1920, 1000);
  for (const { id } of getToasts()) dismissToast(id);
});

test('a new flow begins with the defaults, and is created by keyboard alone', async () => {
  const requests = await open();
  await expect.element(nameField).toHaveFocus();
  await expect.element(pathOf(1)).toHaveValue('email');
  await expect.element(page.getByRole('switch', { name: 'Active' })).toBeChecked();
  await expect.element(page.getByRole('combobox', { name: 'Project' })).toHaveValue('3');
  await userEvent.keyboard('Trial ending{Tab}{Tab}{Tab}{Tab}ada{Tab}{Tab}');
  await message.click();
  await userEvent.keyboard('Hi {{name}, about {{shop}');
  await expect.element(page.getByText('Hi John, about [shop]')).toBeVisible();
  await create.click();
  await activate.click();
  await expect.element(page.getByText('Flow created')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(await bodyOf(requests, 'POST', '/api/flows')).toEqual({
    name: 'Trial ending',
    conditions: [{ fieldPath: 'email', operator: 'equals', value: 'ada' }],
    duration: { type: 'last_hours', hours: 24, dateFieldPath: 'updated_at' },
    action: { projectId: 3, message: 'Hi {name}, about {shop}' },
    frequency: { type: 'lifetime', value: null },
    active: true,
  });
});

test('says what its parts are, and reads as one sentence', async () => {
  await open();
  await expect.element(page.getByRole('dialog', { name: 'Create Flow' })).toBeVisible();
  await expect.element(page.getByRole('group', { name: 'Conditions (ALL must match)' })).toBeVisible();
  await expect
    .element(message)
    .toHaveAccessibleDescription('Use {email}, {phone}, {custom_fields.name} etc. for dynamic values');
  await expect.element(page.getByRole('combobox', { name: 'Date field' })).toHaveValue('updated_at');
  await expect.element(page.getByRole('spinbutton', { name: 'Duration' })).toHaveValue(24);
  await expect.element(page.getByRole('combobox', { name: 'Unit' })).toHaveDisplayValue('hours');
  await expect.element(page.getByRole('combobox', { name: 'Frequency' })).toHaveDisplayValue('once in a lifetime');
  await expect
    .element(
      page.getByText(
        'When email equals …, and updated_at is within the last 24 hours, send the message at most once in a lifetime to each profile.',
      ),
    )
    .toBeVisible();
});

test('while it is being saved the button says so, and a failure is shown', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  await open({ answers: { 'POST /api/flows': () => promise } });
  await nameField.fill('Trial ending');
  await message.fill('Hi {name}');
  await create.click();
  await activate.click();
  await expect.element(page.getByRole('button', { name: 'Creating...' })).toBeDisabled();
  resolve(problem(500, 'unexpected', ''));
  await expect.element(page.getByText('Failed to create flow')).toBeVisible();
  await expect.element(create).toBeEnabled();
});

test('says what is missing, by toast and at the fields', async () => {
  const requests = await open({ projects: [sampleProject(), sampleProject({ id: 4, name: 'Second' })] });
  await create.click();
  await expect.element(page.getByText('Please fill: name, project, message')).toBeVisible();
  await expect.element(nameField).toHaveAccessibleDescription('Enter a name');
  await expect.element(nameField).toHaveFocus();
  await expect.element(page.getByRole('combobox', { name: 'Project' })).toHaveAccessibleDescription('Choose a project');
  await expect.element(message).toHaveAccessibleDescription(/^Enter a message/);
  expect(sent(requests, 'POST', '/api/flows')).toEqual([]);
});

test('asks for a condition, and points at a row without a field', async () => {
  const requests = await open({ flow: sampleFlow() });
  await pathOf(1).fill('');
  await nameField.click();
  await saveChanges.click();
  await expect.element(page.getByText('Please add at least one condition')).toBeVisible();
  await expect.element(pathOf(1)).toHaveAccessibleDescription('Choose a field');
  await expect.element(pathOf(1)).toHaveFocus();
  await pathOf(1).fill('email');
  await page.getByRole('button', { name: '+ Add Condition' }).click();
  await saveChanges.click();
  await expect.element(pathOf(2)).toHaveAccessibleDescription('Choose a field');
  expect(sent(requests, 'PUT', '/api/flows/5')).toEqual([]);
});

test('rows are added and removed, the last one stays, the focus follows', async () => {
  await open();
  const remove = page.getByRole('button', { name: 'Remove condition' });
  expect(remove.elements()).toHaveLength(0);
  await page.getByRole('button', { name: '+ Add Condition' }).click();
  await expect.element(pathOf(2)).toHaveFocus();
  await userEvent.keyboard('custom_fields.plan');
  expect(remove.elements()).toHaveLength(2);
  await expect.element(condition(2).getByText('AND')).toBeVisible();
  await condition(1).getByRole('button', { name: 'Remove condition' }).click();
  await expect.element(pathOf(1)).toHaveValue('custom_fields.plan');
  await expect.element(pathOf(1)).toHaveFocus();
  expect(remove.elements()).toHaveLength(0);
});

test('a field that holds what the operator compares with', async () => {
  const requests = await open({ flow: sampleFlow() });
  const groups = operatorOf(1).element().querySelectorAll('optgroup');
  expect(
    Array.from(groups, ({ label, children }) => [label, ...Array.from(children, ({ textContent }) => textContent)]),
  ).toEqual([
    ['Text Comparison', 'Equals', 'Not Equals'],
    ['Existence', 'Exists', 'Not Exists'],
    ['Date Comparison', 'Before X hours ago', 'After X hours ago', 'Before X days ago', 'After X days ago'],
  ]);
  await operatorOf(1).selectOptions('Not Exists');
  await expect.element(condition(1).getByText('No value needed')).toBeVisible();
  await operatorOf(1).selectOptions('Before X hours ago');
  await expect.element(condition(1).getByRole('spinbutton', { name: 'Hours' })).toBeVisible();
  await operatorOf(1).selectOptions('After X days ago');
  await saveChanges.click();
  const days = condition(1).getByRole('spinbutton', { name: 'Days' });
  await expect.element(days).toHaveAccessibleDescription('Enter a number');
  await days.fill('3');
  await saveChanges.click();
  await expect.element(page.getByText('Flow updated')).toBeVisible();
  expect(await bodyOf(requests, 'PUT', '/api/flows/5')).toMatchObject({
    conditions: [{ fieldPath: 'custom_fields.plan', operator: 'after_days_ago', value: '3' }],
  });
});

test('timing is typed as a part of the sentence', async () => {
  const requests = await open({ flow: sampleFlow() });
  const amount = page.getByRole('spinbutton', { name: 'Duration' });
  await page.getByRole('combobox', { name: 'Unit' }).selectOptions('days');
  await amount.fill('40000');
  await page.getByRole('combobox', { name: 'Frequency' }).selectOptions('once per N hours');
  await page.getByRole('spinbutton', { name: 'Hours' }).fill('12');
  await expect
    .element(page.getByText('updated_at is within the last 40000 days, send the message at most once per 12 hours'))
    .toBeVisible();
  await saveChanges.click();
  await expect.element(amount).toHaveAccessibleDescription('Use at most 36500');
  await amount.fill('7');
  await page.getByRole('combobox', { name: 'Date field' }).click();
  await expect
    .element(
      page
        .getByRole('option')
        .filter({ has: page.getByRole('code') })
        .nth(1),
    )
    .toBeVisible();
  expect(page.getByRole('option', { name: /^custom_fields.plan/ }).elements()).toHaveLength(0);
  await page.getByRole('option', { name: /^custom_fields.trial_ends_at/ }).click();
  await saveChanges.click();
  await expect.element(page.getByText('Flow updated')).toBeVisible();
  expect(await bodyOf(requests, 'PUT', '/api/flows/5')).toMatchObject({
    duration: { type: 'last_days', days: 7, dateFieldPath: 'custom_fields.trial_ends_at' },
    frequency: { type: 'once_per_hours', value: 12 },
  });
});

test('counts who matches as it is typed, and gives up a count that is out of date', async () => {
  const first = Promise.withResolvers<Answer>();
  let count = 0;
  const requests = await open({
    flow: sampleFlow(),
    answers: {
      'POST /api/flows/preview-count': () => {
        count += 1;
        return count === 1 ? first.promise : { body: { count: 1, skipped: 1 } };
      },
    },
  });
  const asked = () => sent(requests, 'POST', '/api/flows/preview-count');
  await expect.poll(() => asked().length).toBe(1);
  await condition(1).getByRole('combobox', { name: 'Value' }).fill('paid');
  await expect.element(page.getByText('1 profile matches')).toBeVisible();
  await expect.element(page.getByText('1 of them gets nothing')).toBeVisible();
  expect(asked()[0]?.signal.aborted).toBe(true);
  expect(await asked()[1]?.json()).toEqual({
    conditions: [{ fieldPath: 'custom_fields.plan', operator: 'equals', value: 'paid' }],
    duration: { type: 'last_hours', hours: 24, dateFieldPath: 'updated_at' },
  });
});

test('Preview Count counts anew, and says why it cannot', async () => {
  let isRefused = false;
  const requests = await open({
    flow: sampleFlow(),
    answers: {
      'POST /api/flows/preview-count': () =>
        isRefused ? problem(503, 'too_costly', '') : { body: { count: 1284, skipped: 0 } },
    },
  });
  const preview = page.getByRole('button', { name: 'Preview Count' });
  await expect.element(page.getByText('1,284 profiles match')).toBeVisible();
  const before = sent(requests, 'POST', '/api/flows/preview-count').length;
  isRefused = true;
  await preview.click();
  await expect.element(page.getByText('Failed to fetch preview count').first()).toBeVisible();
  expect(sent(requests, 'POST', '/api/flows/preview-count')).toHaveLength(before + 1);
  await pathOf(1).fill('');
  await nameField.click();
  await preview.click();
  await expect.element(page.getByText('Please add at least one condition')).toBeVisible();
});

test('people who were counted among some alone are about so many', async () => {
  await open({
    flow: sampleFlow(),
    answers: { 'POST /api/flows/preview-count': () => ({ body: { count: 12_000, skipped: 300, is_estimate: true } }) },
  });
  await expect.element(page.getByText('about 12,000 profiles match')).toBeVisible();
  await expect.element(page.getByText('about 300 of them get nothing')).toBeVisible();
});

test('projects that could not be fetched are not taken for none', async () => {
  await open({ projects: null });
  const project = page.getByRole('combobox', { name: 'Project' });
  await expect.element(project).toHaveAccessibleDescription('Failed to fetch projects');
  await expect.element(page.getByRole('link', { name: 'Connect a WhatsApp project first.' })).not.toBeInTheDocument();
});

test('the project of a flow stays on the list while it is not connected', async () => {
  const away = sampleProject({ is_connected: false, status: 'disconnected' });
  const requests = await open({ flow: sampleFlow(), projects: [away] });
  await expect
    .element(page.getByRole('combobox', { name: 'Project' }))
    .toHaveDisplayValue('Larkspur Store (not connected)');
  await expect.element(page.getByRole('link', { name: 'Connect a WhatsApp project first.' })).toBeVisible();
  await page.getByRole('switch', { name: 'Active' }).click();
  await saveChanges.click();
  await expect.element(page.getByText('Flow updated')).toBeVisible();
  expect(await bodyOf(requests, 'PUT', '/api/flows/5')).toEqual({ active: false });
});

test('a project that is connected and cannot send now says why, and that messages wait', async () => {
  const reason = 'The connected phone numbers of this project are switched off';
  const sending = {
    can_send: false,
    connector: null,
    reason: 'phones_inactive',
    message: reason,
    until: null,
  } as const;
  await open({ flow: sampleFlow(), projects: [sampleProject({ sending })] });
  const project = page.getByRole('combobox', { name: 'Project' });
  await expect.element(project).toHaveDisplayValue('Larkspur Store (cannot send now)');
  await expect.element(project).toHaveAccessibleDescription(`${reason}. Messages wait until it can send.`);
});

test("puts the server's complaint on its field, any other in a toast", async () => {
  const errors = [{ path: 'conditions.0.fieldPath', message: 'No profile has this field' }];
  const complaints: Answer[] = [
    { status: 422, body: { code: 'invalid_input', message: 'Check the fields', errors } },
    problem(500, 'unexpected', ''),
  ];
  await open({ flow: sampleFlow(), answers: { 'PUT /api/flows/5': () => complaints.shift() ?? { body: {} } } });
  await saveChanges.click();
  await expect.element(pathOf(1)).toHaveAccessibleDescription('No profile has this field');
  await saveChanges.click();
  await expect.element(page.getByText('Failed to save flow')).toBeVisible();
  await expect.element(dialog).toBeVisible();
});

test('fields that no profile has yet are named together, and saved after a confirmation', async () => {
  const errors = [
    { path: 'conditions.0.fieldPath', message: 'No profile has a field custom_fields.plann' },
    { path: 'duration.dateFieldPath', message: 'No profile has a field custom_fields.seen_at' },
  ];
  const refusal: Answer = { status: 422, body: { code: 'invalid_input', message: 'Check the fields', errors } };
  const answers: Answer[] = [refusal, { body: sampleFlow() }];
  const requests = await open({
    flow: sampleFlow(),
    answers: { 'PUT /api/flows/5': () => answers.shift() ?? refusal },
  });
  await saveChanges.click();
  const question = page.getByRole('alertdialog', { name: 'No profile has these fields yet' });
  await expect.element(question).toHaveAccessibleDescription(/^custom_fields\.plann, custom_fields\.seen_at: check/);
  await question.getByRole('button', { name: 'Save anyway' }).click();
  await expect.element(page.getByText('Flow updated')).toBeVisible();
  expect(await bodyOf(requests, 'PUT', '/api/flows/5')).toMatchObject({ allow_unknown: true });
});

test('a value that profiles have is taken from the list', async () => {
  const requests = await open({ flow: sampleFlow() });
  await condition(1).getByRole('combobox', { name: 'Value' }).fill('tri');
  await page.getByRole('option', { name: /^Trial/ }).click();
  await saveChanges.click();
  await expect.element(page.getByText('Flow updated')).toBeVisible();
  expect(await bodyOf(requests, 'PUT', '/api/flows/5')).toMatchObject({ conditions: [{ value: 'Trial' }] });
});

test('warns of settings that leave hardly anybody', async () => {
  const warning = 'Hardly anybody will match: choose a longer time.';
  await open({
    flow: sampleFlow(),
    answers: { 'POST /api/flows/preview-count': () => ({ body: { count: 0, skipped: 0, warning } }) },
  });
  await expect.element(page.getByRole('status').filter({ hasText: warning })).toBeVisible();
});

test('a failed search is shown, with the time of the next one', async () => {
  const failed = { last_error: 'It took too long', next_try_at: '2026-11-20T09:12:00.000Z' };
  await open({ flow: sampleFlow(failed) });
  await expect.element(dialog.getByText(/^It took too long\. It tries again at \d\d:12\.$/)).toBeVisible();
});

test('profiles that match already can be left out where saving switches the flow on, and only there', async () => {
  const requests = await open({ flow: sampleFlow({ active: false }) });
  const leaveOut = page.getByRole('checkbox', { name: 'Leave out who matches already' });
  await expect.element(leaveOut).not.toBeInTheDocument();
  await page.getByRole('switch', { name: 'Active' }).click();
  await leaveOut.click();
  await expect.element(page.getByText('for those who begin to match from then on')).toBeVisible();
  await saveChanges.click();
  await activate.click();
  await expect.element(page.getByText('Flow updated')).toBeVisible();
  expect(await bodyOf(requests, 'PUT', '/api/flows/5')).toMatchObject({ active: true, skip_current: true });
});

test('a flow that would write to many is reviewed first, and may be created inactive', async () => {
  const requests = await open({ answers: { 'POST /api/flows/preview': () => ({ body: reviewed }) } });
  await nameField.fill('Trial ending');
  await message.fill('Hi {name}');
  await create.click();
  const review = page.getByRole('dialog', { name: 'Review “Trial ending”' });
  await expect.element(review).toHaveTextContent('Hi Ada');
  await expect.element(review.getByRole('button', { name: 'Activate for 1,272' })).toBeEnabled();
  await review.getByRole('button', { name: 'Back' }).click();
  await expect.element(create).toBeEnabled();
  expect(sent(requests, 'POST', '/api/flows')).toEqual([]);
  await create.click();
  await review.getByRole('button', { name: 'Create inactive' }).click();
  await expect.element(page.getByText('Flow created')).toBeVisible();
  expect(await bodyOf(requests, 'POST', '/api/flows')).toMatchObject({ name: 'Trial ending', active: false });
});

test('the review of a flow whose people wait once they have had enough counts them as waiting', async () => {
  const requests = await open({ flow: sampleFlow({ active: false, when_capped: 'wait' }) });
  await page.getByRole('switch', { name: 'Active' }).click();
  await saveChanges.click();
  await activate.click();
  await expect.element(page.getByText('Flow updated')).toBeVisible();
  expect(await bodyOf(requests, 'POST', '/api/flows/preview')).toMatchObject({ when_capped: 'wait' });
});

test('segments are left out: counted, saved, and taken back', async () => {
  const vip = { ...sampleSegment({ name: 'VIP' }), id: 12 };
  const requests = await open({
    flow: sampleFlow({ exclude_segment_ids: [12] }),
    answers: {
      'GET /api/segments': () => ({ body: { data: [vip, { ...vip, id: 13, name: 'Staff' }], total: 2 } }),
      'GET /api/segments/12': () => ({ body: vip }),
      'GET /api/segments/13': () => ({ body: { ...vip, id: 13, name: 'Staff' } }),
    },
  });
  await page.getByRole('combobox', { name: 'Leave out', exact: true }).click();
  await page.getByRole('option', { name: 'Staff' }).click();
  await expect
    .poll(() => bodyOf(requests, 'POST', '/api/flows/preview-count'))
    .toMatchObject({ exclude_segment_ids: [12, 13] });
  await page.getByRole('button', { name: 'Do not leave out VIP' }).click();
  await saveChanges.click();
  await expect.poll(() => bodyOf(requests, 'PUT', '/api/flows/5')).toMatchObject({ exclude_segment_ids: [13] });
});

test('goes by people of its own in place of conditions, and back', async () => {
  const requests = await open({
    answers: {
      'GET /api/fields': () => ({ body: { data: [] } }),
      'GET /api/profile-fields/values': () => ({ body: { data: [], is_complete: true } }),
      'POST /api/segments/preview': () => ({
        body: { count: 2, total: 40, served_by: 'scan', sample: [], lines: [] },
      }),
    },
  });
  await nameField.fill('VIPs');
  await message.fill('Hi');
  await page.getByRole('switch', { name: 'Active' }).click();
  await page.getByRole('button', { name: 'People who…' }).click();
  const builder = page.getByRole('dialog', { name: 'People who…' });
  await builder.getByRole('combobox', { name: 'Field', exact: true }).fill('status');
  await builder.getByRole('combobox', { name: 'Value' }).fill('vip');
  await builder.getByRole('button', { name: 'Use these people' }).click();
  await expect.element(page.getByText('People who match: Status is “vip”.')).toBeVisible();
  await page.getByRole('button', { name: 'Choose conditions instead' }).click();
  await expect.element(pathOf(1)).toHaveValue('email');
  await page.getByRole('button', { name: 'People who…' }).click();
  await builder.getByRole('combobox', { name: 'Field', exact: true }).fill('status');
  await builder.getByRole('combobox', { name: 'Value' }).fill('old');
  await builder.getByRole('button', { name: 'Use these people' }).click();
  await create.click();
  await expect.element(page.getByText('Flow created')).toBeVisible();
  const body = await bodyOf(requests, 'POST', '/api/flows');
  expect(body).toMatchObject({
    name: 'VIPs',
    expression: { all: [{ field: 'status', op: 'equals', value: 'old' }] },
    duration: null,
  });
  expect(body).not.toHaveProperty('conditions');
});
