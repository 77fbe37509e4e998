import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Invitation } from '#contracts/team.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { InvitationList } from './invitation-list.tsx';

const invitation: Invitation = {
  id: 5,
  email: 'jo@example.com',
  role: 'agent',
  project_ids: null,
  expires_at: new Date(Date.now() + 86_400_000).toISOString(),
};

test('an invitation is withdrawn once it was asked, as its link cannot be brought back', async () => {
  const requests = answerRequests({ 'DELETE /api/team/invitations/5': () => ({ status: 204 }) });
  render(<InvitationList invitations={[invitation]} projects={[]} />);
  const withdraw = page.getByRole('button', { name: 'Withdraw the invitation of jo@example.com' });
  await withdraw.click();
  const question = page.getByRole('alertdialog', { name: 'Withdraw the invitation of jo@example.com?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(requests).toHaveLength(0);
  await withdraw.click();
  await question.getByRole('button', { name: 'Withdraw' }).click();
  await expect.element(page.getByText('Invitation withdrawn')).toBeVisible();
  expect(requests).toHaveLength(1);
});

test('an invitation says how long its link works, and one that has ended makes a new one', async () => {
  const past = { ...invitation, id: 6, email: 'mo@example.com', expires_at: '2026-11-20T12:00:00Z' };
  const week = { ...invitation, expires_at: new Date(Date.now() + 7 * 86_400_000 - 60_000).toISOString() };
  render(<InvitationList invitations={[week, past]} projects={[]} />);
  await expect.element(page.getByText('Ends in 7 days')).toBeVisible();
  await expect.element(page.getByText('Ended 20 Nov 2026')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Make a new link for mo@example.com' })).toBeEnabled();
});
