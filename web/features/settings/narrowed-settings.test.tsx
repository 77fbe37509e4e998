import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { permissionsOf } from '#contracts/roles.ts';
import type { Role } from '#contracts/roles.ts';
import { clearSession, setCurrentUser } from '#web/shared/session.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { sampleMembership, sampleSubscription, sampleUser } from '#web/testing/samples.ts';
import { AccountKeysCard } from './account-keys/account-keys-card.tsx';
import { ApiKeyCard } from './api-key-card.tsx';
import { ChangePasswordDialog } from './change-password-dialog.tsx';

function workAs(role: Role, projectIds: number[] | null): void {
  setCurrentUser({
    user: sampleUser({ id: 2 }),
    subscription: sampleSubscription(),
    ...sampleMembership(),
    role,
    permissions: permissionsOf({ role, projectIds }),
    project_ids: projectIds,
  });
  onTestFinished(clearSession);
}

test.each([
  ['viewer', null, false],
  ['developer', [3], false],
  ['developer', null, true],
] as const)('%s of %j: the API key is replaced with the password: %s', async (role, projectIds, isOffered) => {
  workAs(role, projectIds && [...projectIds]);
  render(<ChangePasswordDialog onClose={() => {}} />);
  await expect.element(page.getByLabelText('Current Password')).toBeVisible();
  expect(page.getByLabelText('Replace the API key too').elements()).toHaveLength(isOffered ? 1 : 0);
});

test('a member of one project is offered to delete their own keys of the account, and to replace none', async () => {
  const key = { hint: 'dpk_abcd', scopes: [], addresses: [], expires_at: null, last_used_at: null, created_at: null };
  const data = [
    { ...key, id: 7, name: 'Own', made_by: { id: 2, name: 'Jo' } },
    { ...key, id: 8, name: 'Of the owner', made_by: { id: 1, name: 'Ada' } },
  ];
  answerRequests({ 'GET /api/account/keys': () => ({ body: { data } }) });
  workAs('developer', [3]);
  render(
    <>
      <ApiKeyCard user={sampleUser({ id: 2 })} />
      <AccountKeysCard />
    </>,
  );
  await expect.element(page.getByText('Of the owner')).toBeVisible();
  const buttons = page.getByRole('button', { name: /Delete|Regenerate/ }).elements();
  expect(buttons.map(({ textContent }) => textContent)).toEqual(['Delete Own']);
});
