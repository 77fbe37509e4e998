import { acceptInvitation, invite } from '#contracts/team.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

test('an owner invites somebody without a mail server, who joins as an agent and is removed', async ({
  page,
  product,
  browser,
}) => {
  const owner = await signUpSubscriber(product.url);
  await makeProject(owner);
  await signInAs(page, '/settings', owner);
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Team' }).click();
  await expect(page.getByText('1 person and 0 open invitations')).toBeVisible();
  await page.getByRole('button', { name: 'Invite people' }).click();
  const dialog = page.getByRole('dialog');
  const email = `grace-${owner.id}@example.com`;
  await dialog.getByLabel('Email').fill(email);
  await expectAccessible(page, 'the dialog that invites');
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  const link = await dialog.getByLabel('Invitation link', { exact: true }).inputValue();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('1 person and 1 open invitation')).toBeVisible();

  const elsewhere = await browser.newContext();
  const agent = await elsewhere.newPage();
  await agent.goto(new URL(new URL(link).pathname, product.url).href);
  await expect(agent.getByRole('heading', { name: 'Join Ada Lovelace' })).toBeVisible();
  await expectAccessible(agent, 'an invitation');
  await agent.getByLabel('Your name').fill('Grace Hopper');
  await agent.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await agent.getByRole('button', { name: 'Join with a password' }).click();
  const main = agent.getByRole('navigation', { name: 'Main' });
  await expect(main.getByRole('link', { name: 'Inbox' })).toBeVisible();
  await expect(main.getByRole('link', { name: 'Flows' })).toHaveCount(0);
  await agent.goto('/settings/team');
  await expect(agent.getByRole('button', { name: 'Invite people' })).toBeDisabled();

  await page.reload();
  await expect(page.getByText('2 people and 0 open invitations')).toBeVisible();
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page, `the team at ${width} pixels`);
  }
  await page.getByLabel('Role of Grace Hopper').selectOption('viewer');
  await expect(page.getByText('Saved')).toBeVisible();
  await page.getByRole('button', { name: 'Remove Grace Hopper' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('1 person and 0 open invitations')).toBeVisible();
  await agent.reload();
  await expect(agent.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await elsewhere.close();
});

test('a member of two accounts switches, and a tab of the one before saves nothing in the other', async ({
  page,
  product,
  context,
}) => {
  const owner = await signUpSubscriber(product.url);
  const person = await signUpSubscriber(product.url);
  const { body } = await owner.api.call(invite, { body: { email: person.email, role: 'admin' } });
  const token = body.url.slice(body.url.lastIndexOf('/') + 1);
  await person.api.call(acceptInvitation, { params: { token }, body: {} });
  await signInAs(page, '/settings', person);
  const account = page.getByLabel('Account', { exact: true });
  await expect(account).toHaveValue(String(owner.id));
  const other = await context.newPage();
  await other.goto('/');
  await other.getByLabel('Account', { exact: true }).selectOption(String(person.id));
  await expect(other.getByLabel('Account', { exact: true })).toHaveValue(String(person.id));

  await page.getByRole('link', { name: 'Templates', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'You have switched to another account' });
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Go back' }).click();
  await expect(question).toHaveCount(0);
  await page.reload();
  await expect(account).toHaveValue(String(owner.id));
});

test('an invitation that is over says so', async ({ page }) => {
  await page.goto('/invitations/dpi_nothing');
  await expect(page.getByRole('heading', { name: 'This invitation has ended' })).toBeVisible();
});
