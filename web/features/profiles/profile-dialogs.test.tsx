import { useState } from 'react';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Profile } from '#contracts/profiles.ts';
import { permissionsOf } from '#contracts/roles.ts';
import type { Role } from '#contracts/roles.ts';
import { clearSession, setCurrentUser } from '#web/shared/session.ts';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleMembership, sampleProfile, sampleSubscription, sampleUser } from '#web/testing/samples.ts';
import { EditProfileDialog } from './edit-profile-dialog.tsx';
import { NewProfileDialog } from './new-profile-dialog.tsx';
import { OptOutCard } from './opt-out/opt-out-card.tsx';
import { ProfileHeader } from './profile-header.tsx';

const phone = page.getByRole('textbox', { name: 'Phone' });
const country = page.getByRole('textbox', { name: 'Country code' });
const customFields = page.getByRole('textbox', { name: 'Custom fields' });
const json = page.getByRole('button', { name: 'JSON' });
const create = page.getByRole('button', { name: 'Create Profile' });
const save = page.getByRole('button', { name: 'Save Changes' });
const dialog = page.getByRole('dialog', { name: /Profile$/ });

/** The answers to the form's look-ups. */
const lookUps = {
  'GET /api/profile-fields': () => ({ body: { data: [] } }),
  'GET /api/profile-tags': () => ({ body: { data: [{ tag: 'vip', profiles: 12 }] } }),
};

const sent = (requests: readonly Request[]) => requests.filter(({ method }) => method !== 'GET');

function openNew(answer: Answer = { status: 201, body: sampleProfile() }): Request[] {
  const requests = answerRequests({ 'POST /api/profiles': () => answer, ...lookUps });
  render(<NewExample />);
  return requests;
}

function NewExample() {
  const [isOpen, setOpen] = useState(true);
  return isOpen && <NewProfileDialog onClose={() => setOpen(false)} />;
}

function openEdit(changes: Partial<Profile> = {}): Request[] {
  const requests = answerRequests({ 'PUT /api/profiles/5': () => ({ body: sampleProfile(changes) }), ...lookUps });
  render(<EditProfileDialog profile={sampleProfile(changes)} onClose={() => undefined} />);
  return requests;
}

beforeEach(() => page.viewport(1280, 900));

test('creates a profile; blank fields are none, the country code is upper case', async () => {
  const requests = openNew();
  await expect.element(phone).toHaveFocus();
  await expect.element(phone).toHaveAccessibleDescription(/Spaces, plus and special characters are removed/);
  await userEvent.keyboard('+46 70 174 06 05{Tab}{Tab}sex');
  await expect.element(country).toHaveValue('SE');
  await json.click();
  await customFields.fill('{ "installed": true }');
  await create.click();
  await expect.element(page.getByText('Profile created')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(await sent(requests)[0]?.json()).toEqual({
    phone: '+46701740605',
    country_code: 'SE',
    name: null,
    email: null,
    status: 'active',
    tags: [],
    custom_fields: { installed: true },
  });
});

test.each<[string, string, RegExp]>([
  ['broken JSON', '{ "installed": tru }', /^Invalid JSON: Unexpected token/],
  ['a list', '[1]', /^Custom fields must be a JSON object/],
])('refuses %s where it stands and sends nothing', async (_, text, message) => {
  const requests = openNew();
  await phone.fill('46701740605');
  await json.click();
  await customFields.fill(text);
  await create.click();
  await expect.element(customFields).toHaveAccessibleDescription(message);
  await expect.element(customFields).toHaveFocus();
  expect(sent(requests)).toHaveLength(0);
});

test("puts the server's complaint about the number on the number", async () => {
  const errors = [{ path: 'phone', message: 'Invalid number' }];
  openNew({ status: 422, body: { code: 'invalid_input', message: 'Check the fields', errors } });
  await phone.fill('12');
  await create.click();
  await expect.element(phone).toHaveAccessibleDescription(/^Invalid number/);
});

test('shows any other failure in a toast', async () => {
  openNew(problem(409, 'profile_exists', ''));
  await phone.fill('46701740605');
  await create.click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to create profile');
  await expect.element(dialog).toBeVisible();
});

test('a number that a profile has already leads to that profile', async () => {
  const body = {
    code: 'profile_exists',
    message: 'A profile with this number exists',
    profile_id: 12,
    request_id: 't',
  };
  answerRequests({ 'POST /api/profiles': () => ({ status: 409, body }) });
  render(inRouter(<NewExample />).page);
  await phone.fill('46701740605');
  await create.click();
  await expect.element(page.getByText('A profile with this number exists')).toBeVisible();
  await expect.element(dialog.getByRole('link', { name: 'View profile' })).toHaveAttribute('href', '/profiles/12');
  await phone.fill('46701740606');
  await expect.element(dialog.getByRole('link', { name: 'View profile' })).not.toBeInTheDocument();
});

test('another country goes with the number that it reads', async () => {
  const requests = openEdit();
  await country.fill('');
  await save.click();
  await expect.poll(() => sent(requests)).toHaveLength(1);
  expect(await sent(requests)[0]?.json()).toEqual({ phone: '+46701740605', country_code: null });
});

test('an edit sends only what was changed', async () => {
  const requests = openEdit();
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada L');
  await json.click();
  await customFields.fill('');
  await save.click();
  await expect.poll(() => sent(requests)).toHaveLength(1);
  expect(await sent(requests)[0]?.json()).toEqual({ name: 'Ada L', custom_fields: null });
});

test('custom fields are edited line by line, each in its type; the JSON says the same', async () => {
  const requests = openEdit({ custom_fields: { plan: 'trial', seats: 3, deep: { a: [1] } } });
  await page.getByRole('textbox', { name: 'Value of plan' }).fill('pro');
  await page.getByRole('combobox', { name: 'Type of seats' }).selectOptions('Text');
  await page.getByRole('button', { name: 'Add field' }).click();
  await page.getByLabelText('Name of field 4').fill('installed');
  await page.getByRole('combobox', { name: 'Type of installed' }).selectOptions('Yes or no');
  await page.getByRole('combobox', { name: 'Value of installed' }).selectOptions('Yes');
  await json.click();
  await expect
    .element(customFields)
    .toHaveValue(JSON.stringify({ plan: 'pro', seats: '3', deep: { a: [1] }, installed: true }, null, 2));
  await page.getByRole('button', { name: 'Fields', exact: true }).click();
  await page.getByRole('button', { name: 'Remove deep' }).click();
  await save.click();
  await expect.poll(() => sent(requests)).toHaveLength(1);
  expect(await sent(requests)[0]?.json()).toEqual({ custom_fields: { plan: 'pro', seats: '3', installed: true } });
});

test('a line that is no number, or has a name that is there, is refused where it stands', async () => {
  const requests = openEdit({ custom_fields: { seats: 3 } });
  const value = page.getByRole('textbox', { name: 'Value of seats' });
  await value.fill('three');
  await save.click();
  await expect.element(value).toHaveAccessibleDescription('Enter a number');
  expect(sent(requests)).toHaveLength(0);
  await value.fill('4');
  await save.click();
  await expect.poll(() => sent(requests)).toHaveLength(1);
  expect(await sent(requests)[0]?.json()).toEqual({ custom_fields: { seats: 4 } });
});

test('tags are found, made and taken away', async () => {
  const requests = openEdit({ tags: ['old'] });
  await page.getByRole('button', { name: 'Remove tag old' }).click();
  await page.getByLabelText('Tags').click();
  const search = page.getByRole('combobox', { name: 'Search tags' });
  await page.getByRole('option', { name: /vip/ }).click();
  await search.fill('New  York');
  await expect.element(page.getByRole('option', { name: /new york/ })).toHaveTextContent('New tag');
  await userEvent.keyboard('{Enter}{Escape}');
  await save.click();
  await expect.poll(() => sent(requests)).toHaveLength(1);
  expect(await sent(requests)[0]?.json()).toEqual({ tags: ['new york', 'vip'] });
});

/** Signs in a member of one project. */
function narrow(role: Role): void {
  const project_ids = [1];
  setCurrentUser({
    user: sampleUser(),
    subscription: sampleSubscription(),
    ...sampleMembership(),
    role,
    project_ids,
    permissions: permissionsOf({ role, projectIds: project_ids }),
  });
  onTestFinished(clearSession);
}

test('a member of one project whose role edits contacts changes one, and gives nobody another number', async () => {
  narrow('agent');
  const requests = openEdit({ tags: [] });
  await page.getByRole('textbox', { name: 'Name' }).fill('Grace');
  await expect.element(phone).not.toBeInTheDocument();
  await expect.element(country).not.toBeInTheDocument();
  await save.click();
  await expect.poll(() => sent(requests)).toHaveLength(1);
  expect(await sent(requests)[0]?.json()).toEqual({ name: 'Grace' });
});

test.each(['agent', 'viewer'] as const)(
  '%s of one project: editing is offered by the role, deleting is not',
  async (role) => {
    narrow(role);
    answerRequests({ 'GET /api/suppressions/14155550123': () => problem(404, 'not_found', 'None'), ...lookUps });
    render(
      inRouter(
        <>
          <ProfileHeader profile={sampleProfile()} />
          <OptOutCard profile={sampleProfile()} />
        </>,
      ).page,
    );
    const edit = page.getByRole('button', { name: 'Edit' });
    const optOut = page.getByRole('switch', { name: 'Opted out' });
    await expect.element(page.getByRole('button', { name: 'Delete' })).toBeDisabled();
    for (const control of [edit, optOut]) {
      await (role === 'agent' ? expect.element(control).toBeEnabled() : expect.element(control).toBeDisabled());
    }
  },
);
