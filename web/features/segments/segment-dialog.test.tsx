import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { useState } from 'react';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { ProfileField, ProfileFieldValue } from '#contracts/profiles.ts';
import type { Segment } from '#contracts/segments.ts';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { sampleSegment, sampleUser } from '#web/testing/samples.ts';
import { clearSession, startSession } from '#web/shared/session.ts';
import { SegmentDialog } from './segment-dialog.tsx';

const fields: ProfileField[] = [
  { path: 'email', types: ['string'], sample: 'ada@example.com', profiles: 40 },
  { path: 'custom_fields.installed', types: ['boolean'], sample: 'true', profiles: 30 },
  { path: 'custom_fields.install_source', types: ['string'], sample: 'app store', profiles: 12 },
];

const values: ProfileFieldValue[] = [
  { value: 'Pro', profiles: 12 },
  { value: 'trial', profiles: 1 },
];

const members = [
  { id: 1, phone: '46701740605', cc: '46', number: '701740605', country_code: 'SE', name: 'Ada Lindqvist' },
  { id: 2, phone: '61491570156', cc: '61', number: '491570156', country_code: 'AU', name: null },
];

type Answers = Record<string, (request: Request) => Answer>;

function answer(answers: Answers): Request[] {
  return answerRequests({
    'GET /api/profile-fields': () => ({ body: { data: fields } }),
    'GET /api/profile-fields/values': () => ({ body: { data: values, is_complete: true } }),
    'POST /api/segments/preview-count': () => ({ body: { count: 30, sample: members, served_by: 'index' } }),
    'GET /api/segments/9/profiles': () => ({
      body: {
        data: members,
        count: 8127,
      },
    }),
    'GET /api/segments/counts': () => ({
      body: { data: [{ id: 9, count: 30, counted_at: '2026-11-25T10:00:00Z', days: [] }] },
    }),
    'GET /api/segments/9/usage': () => ({ body: { data: [], total: 0, finished_campaigns: 0 } }),
    'POST /api/segments': () => ({ status: 201, body: sampleSegment() }),
    'PUT /api/segments/9': () => ({ body: sampleSegment() }),
    ...answers,
  });
}

function open(segment?: Segment, answers: Answers = {}): Request[] {
  const requests = answer(answers);
  render(<Example segment={segment} />);
  return requests;
}

function Example({ segment }: { segment: Segment | undefined }) {
  const [isOpen, setOpen] = useState(true);
  return isOpen && <SegmentDialog segment={segment} onClose={() => setOpen(false)} onGroup={() => undefined} />;
}

const dialog = page.getByRole('dialog', { name: /Segment/ });
const nameField = page.getByRole('textbox', { name: 'Name' });
const pathField = page.getByRole('combobox', { name: 'Field Path' });
const operator = page.getByRole('combobox', { name: 'Operator' });
const value = page.getByRole('combobox', { name: 'Value' });
const options = page.getByRole('option').filter({ has: page.getByRole('code') });
const create = page.getByRole('button', { name: 'Create Segment' });

const bodyOf = (requests: Request[], method: string, path: string): Promise<unknown> | undefined =>
  requests.find((request) => request.method === method && new URL(request.url).pathname === path)?.json();

beforeEach(() => page.viewport(1280, 800));

test('is created from a name and a suggested field, by keyboard alone', async () => {
  const requests = open();
  await expect.element(nameField).toHaveFocus();
  await expect.element(create).toBeDisabled();
  await userEvent.keyboard('Installed users{Tab}install');
  await expect.element(options.nth(1)).toHaveTextContent('custom_fields.install_sourcestring · “app store”');
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(options.first()).toHaveAttribute('aria-selected', 'true');
  await expect.element(pathField).toHaveAttribute('aria-activedescendant', options.first().element().id);
  await userEvent.keyboard('{Enter}');
  await expect.element(pathField).toHaveValue('custom_fields.installed');
  await expect.element(pathField).toHaveAttribute('aria-expanded', 'false');
  await userEvent.keyboard('{Tab}{Tab}true');
  await expect.element(dialog).toHaveTextContent('Preview available after saving');
  await expect.element(page.getByText('Matches 30 profiles')).toBeVisible();
  await expect
    .element(page.getByRole('list', { name: 'The newest of them' }))
    .toHaveTextContent('+46 701740605 — Ada Lindqvist+61 491570156 — -');
  await expect.element(dialog).toHaveTextContent(/In wordsPeople whose Installed is “?true”?\./);
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Segment created')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(await bodyOf(requests, 'POST', '/api/segments')).toEqual({
    name: 'Installed users',
    condition: { fieldPath: 'custom_fields.installed', operator: 'equals', value: 'true' },
  });
});

test('Escape closes the suggestions, then the dialog', async () => {
  open();
  await pathField.click();
  await expect.element(page.getByRole('listbox', { name: 'Fields' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('listbox', { name: 'Fields' })).not.toBeInTheDocument();
  await expect.element(dialog).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
});

test('takes a suggestion by mouse', async () => {
  open();
  await pathField.click();
  await page.getByRole('option', { name: /^email/ }).click();
  await expect.element(pathField).toHaveValue('email');
  await expect.element(pathField).toHaveFocus();
});

test('offers the values that profiles have in the field, in whatever case one types', async () => {
  const requests = open();
  await pathField.fill('custom_fields.plan');
  await value.click();
  const list = page.getByRole('listbox', { name: 'Values' });
  await expect.element(list.getByRole('option').first()).toHaveTextContent('Pro12 profiles');
  await expect.element(list.getByRole('option').nth(1)).toHaveTextContent('trial1 profile');
  await userEvent.keyboard('pro');
  await expect.element(list.getByRole('option').nth(1)).not.toBeInTheDocument();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(value).toHaveValue('Pro');
  const asked = requests.map(({ url }) => new URL(url)).filter(({ pathname }) => pathname.endsWith('/values'));
  expect(asked[0]?.searchParams.get('path')).toBe('custom_fields.plan');
});

test('a condition that nobody matches says so, and nothing of a preview to come', async () => {
  open(undefined, { 'POST /api/segments/preview-count': () => ({ body: { count: 0, served_by: 'index' } }) });
  await pathField.fill('email');
  await value.fill('nobody@example.com');
  await expect.element(page.getByText('Matches 0 profiles')).toBeVisible();
  await expect.element(page.getByText('No profile matches now.')).toBeVisible();
  await expect.element(page.getByText('Preview available after saving')).not.toBeInTheDocument();
});

test('shows who is in a saved segment, and counts a changed condition anew', async () => {
  const requests = open(sampleSegment());
  await expect.element(page.getByText('Matches 8,127 profiles')).toBeVisible();
  await expect.element(page.getByText('— Ada Lindqvist')).toBeVisible();
  await expect.element(page.getByText('— -')).toBeVisible();
  await operator.selectOptions('Not Equals');
  await expect.element(page.getByText('Ada Lindqvist')).not.toBeInTheDocument();
  await operator.selectOptions('Exists');
  await expect.element(value).toBeDisabled();
  await expect.element(page.getByText('Matches 30 profiles')).toBeVisible();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect.element(page.getByText('Segment updated')).toBeVisible();
  expect(await bodyOf(requests, 'PUT', '/api/segments/9')).toEqual({
    condition: { fieldPath: 'custom_fields.installed', operator: 'exists', value: '' },
  });
});

test("puts the server's complaint about the path on the path", async () => {
  const complaint: Answer = {
    status: 422,
    body: {
      code: 'invalid_input',
      message: 'Check the fields',
      errors: [{ path: 'condition.fieldPath', message: 'Unknown field' }],
    },
  };
  open(sampleSegment(), { 'PUT /api/segments/9': () => complaint });
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect.element(pathField).toHaveAccessibleDescription('Unknown field');
});

const unknownField: Answer = {
  status: 422,
  body: {
    code: 'invalid_input',
    message: 'Check the fields',
    errors: [{ path: 'condition.fieldPath', message: 'No profile has a field custom_fields.plan' }],
  },
};

test('a field that no profile has yet is saved after a confirmation, and only then', async () => {
  const answers = [unknownField, unknownField, { status: 201, body: sampleSegment() }];
  const requests = open(undefined, { 'POST /api/segments': () => answers.shift() ?? unknownField });
  const sent = () => requests.filter(({ method, url }) => method === 'POST' && url.endsWith('/api/segments'));
  await nameField.fill('Planned');
  await pathField.fill('custom_fields.plan');
  await nameField.click();
  await create.click();
  const question = page.getByRole('alertdialog', { name: 'No profile has this field yet' });
  await expect.element(question).toHaveAccessibleDescription(/^custom_fields\.plan: check the spelling/);
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(pathField).toHaveAccessibleDescription('No profile has a field custom_fields.plan');
  expect(sent()).toHaveLength(1);
  await create.click();
  await question.getByRole('button', { name: 'Save anyway' }).click();
  await expect.element(page.getByText('Segment created')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sent()).toHaveLength(3);
  const condition = { fieldPath: 'custom_fields.plan', operator: 'equals', value: '' };
  expect(await sent()[1]?.json()).toEqual({ name: 'Planned', condition });
  expect(await sent()[2]?.json()).toEqual({ name: 'Planned', condition, allow_unknown: true });
});

test('leaving asks where no draft could be kept, also while the question about an unknown field is open', async () => {
  answer({
    'POST /api/segments': () => unknownField,
    'PUT /api/drafts/segment/new': () => problem(503, 'unavailable', ''),
  });
  startSession({ token: 'token', user: sampleUser() });
  onTestFinished(clearSession);
  const history = createMemoryHistory({ initialEntries: ['/segments', '/new'] });
  const root = createRootRoute();
  const element = () => <SegmentDialog onClose={() => undefined} onGroup={() => undefined} />;
  const routeTree = root.addChildren([
    createRoute({ getParentRoute: () => root, path: '/new', component: element }),
    createRoute({ getParentRoute: () => root, path: '/segments', component: () => 'All segments' }),
  ]);
  const router = createRouter({ routeTree, history });
  render(<RouterProvider router={router as never} />);
  await nameField.fill('Planned');
  await pathField.fill('custom_fields.plan');
  await nameField.click();
  await create.click();
  const unknown = page.getByRole('alertdialog', { name: 'No profile has this field yet' });
  await expect.element(unknown).toBeVisible();
  // A history in memory asks about a step forward alone; the browser's asks about Back in the same way.
  void router.navigate({ to: '/segments' });
  const discard = page.getByRole('alertdialog', { name: 'Discard what you typed?' });
  await discard.getByRole('button', { name: 'Keep editing' }).click();
  await expect.element(unknown).toBeVisible();
  void router.navigate({ to: '/segments' });
  await discard.getByRole('button', { name: 'Discard' }).click();
  await expect.element(page.getByText('All segments')).toBeVisible();
});

test('says what failed', async () => {
  open(sampleSegment(), {
    'GET /api/segments/9/profiles': () => problem(422, 'too_costly', ''),
    'PUT /api/segments/9': () => problem(409, 'conflict', ''),
  });
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to fetch preview count');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect.element(page.getByText('Failed to save segment')).toBeVisible();
});
