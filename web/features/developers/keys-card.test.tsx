import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { ProjectKey } from '#contracts/project-keys.ts';
import { permissionsOf } from '#contracts/roles.ts';
import type { Role } from '#contracts/roles.ts';
import { clearSession, setCurrentUser } from '#web/shared/session.ts';
import { answerRequests, problem } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { sampleMembership, sampleSubscription, sampleUser } from '#web/testing/samples.ts';
import { KeysCard } from './keys-card.tsx';

const key: ProjectKey = {
  id: 7,
  name: 'Delivery board',
  hint: 'dpp_4vR8',
  scopes: ['messages:send', 'messages:read'],
  no_longer: [],
  addresses: ['203.0.113.0/28'],
  expires_at: null,
  last_used_at: null,
  replaced_at: null,
  created_at: '2026-11-21T08:00:00.000Z',
};
const authKey = { hint: 'dpa_ktJv', scopes: ['messages:send', 'messages:read'], last_used_at: null };
const path = '/api/projects/3/keys';

async function fillIn(): Promise<void> {
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabelText('Name').fill('Delivery board');
  await page.getByLabelText('messages:read').click();
  await page.getByLabelText('Addresses').fill('203.0.113.0/28, 2001:db8::1');
  await page.getByRole('button', { name: 'Create key' }).click();
}

test('a new key is shown once, and then stands in the table without itself', async () => {
  const bodies: unknown[] = [];
  let keys: ProjectKey[] = [];
  answerRequests({
    [`GET ${path}`]: () => ({ body: { data: keys, auth_key: authKey } }),
    [`POST ${path}`]: async (request) => {
      bodies.push(await request.json());
      keys = [key];
      return { status: 201, body: { ...key, key: 'dpp_4vR8yHq0' } };
    },
  });
  await page.viewport(1440, 900);
  render(<KeysCard projectId={3} />);
  await expect.element(page.getByRole('row', { name: 'Auth key' })).toHaveTextContent('dpa_ktJv…');
  await fillIn();
  const shownKey = page.getByLabelText('Key', { exact: true });
  await expect.element(shownKey).toHaveValue('dpp_4vR8yHq0');
  // Beside it, which would lose the key.
  await userEvent.click(document.elementFromPoint(20, 20) ?? document.body, { position: { x: 20, y: 20 } });
  await page.getByRole('button', { name: 'I have copied it' }).click();
  const row = page.getByRole('row', { name: 'Delivery board' });
  await expect.element(row).toHaveTextContent('dpp_4vR8…');
  await expect.element(row).not.toHaveTextContent('dpp_4vR8yHq0');
  expect(bodies).toEqual([
    {
      name: 'Delivery board',
      scopes: ['messages:send', 'messages:read'],
      expires_at: null,
      addresses: ['203.0.113.0/28', '2001:db8::1'],
    },
  ]);
});

test('a key that is refused says why', async () => {
  answerRequests({
    [`GET ${path}`]: () => ({ body: { data: [], auth_key: authKey } }),
    [`POST ${path}`]: () => problem(409, 'key_limit', 'A project has at most 50 keys. Delete one first.'),
  });
  render(<KeysCard projectId={3} />);
  await fillIn();
  await expect.element(page.getByText('A project has at most 50 keys. Delete one first.')).toBeVisible();
});

function workAs(role: Role, projectIds: number[] | null = null): void {
  setCurrentUser({
    user: sampleUser(),
    subscription: sampleSubscription(),
    ...sampleMembership(),
    role,
    permissions: permissionsOf({ role, projectIds }),
    project_ids: projectIds,
  });
  onTestFinished(clearSession);
}

test.each([
  ['viewer', []],
  ['developer', ['Rotate Delivery board', 'Delete Delivery board', 'Delete Contacts']],
] as const)('keys are rotated and deleted by those alone who may: %s', async (role, offered) => {
  const wide: ProjectKey = { ...key, id: 8, name: 'Contacts', scopes: ['messages:read', 'contacts:write'] };
  answerRequests({ [`GET ${path}`]: () => ({ body: { data: [key, wide], auth_key: authKey } }) });
  workAs(role);
  await page.viewport(1440, 900);
  render(<KeysCard projectId={3} />);
  await expect.element(page.getByRole('row', { name: 'Contacts' })).toBeVisible();
  const buttons = page.getByRole('row').getByRole('button').elements();
  expect(buttons.map(({ textContent }) => textContent)).toEqual(offered);
});

test('a member offers a key the scopes that are theirs', async () => {
  answerRequests({ [`GET ${path}`]: () => ({ body: { data: [], auth_key: authKey } }) });
  workAs('admin', [3]);
  render(<KeysCard projectId={3} />);
  await page.getByRole('button', { name: 'New key' }).click();
  await expect.element(page.getByLabelText('messages:send')).toBeChecked();
  const scopes = page
    .getByRole('checkbox')
    .elements()
    .map((box) => (box as HTMLInputElement).value);
  expect(scopes).not.toContain('contacts:read');
  expect(scopes).toContain('campaigns:read');
});
