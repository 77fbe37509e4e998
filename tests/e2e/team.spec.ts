import { createCampaign } from '#contracts/campaigns.ts';
import { createFlow } from '#contracts/flows.ts';
import { createProfile } from '#contracts/profiles.ts';
import { createTemplate } from '#contracts/saved-templates.ts';
import { createSegment } from '#contracts/segments.ts';
import { acceptInvitation, invite } from '#contracts/team.ts';
import { connectSandboxPhone, makeProject, signUp, signUpSubscriber } from '#tests/support/customer.ts';
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
  await expect(agent).toHaveURL('/inbox');
  await agent.goto('/settings/team');
  await expect(agent.getByRole('button', { name: 'Invite people' })).toBeDisabled();

  // Told without a reload.
  await expect(page.getByText('2 people and 0 open invitations')).toBeVisible();
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page, `the team at ${width} pixels`);
  }
  await page.getByLabel('Role of Grace Hopper').selectOption('viewer');
  await expect(page.getByText('Saved')).toBeVisible();
  await page.getByRole('button', { name: 'Actions for Grace Hopper' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('1 person and 0 open invitations')).toBeVisible();
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

test('a marketer, who sees no key, sends from the dashboard and from a file', async ({ page, product }) => {
  const owner = await signUpSubscriber(product.url);
  const project = await makeProject(owner);
  await connectSandboxPhone(owner, project.id);
  const marketer = await signUp(product.url);
  const { body } = await owner.api.call(invite, { body: { email: marketer.email, role: 'marketer' } });
  const token = body.url.slice(body.url.lastIndexOf('/') + 1);
  await marketer.api.call(acceptInvitation, { params: { token }, body: {} });
  await signInAs(page, '/', marketer);
  await page.getByLabel('Recipient number').fill('14155550132');
  await page.getByLabel('Message', { exact: true }).fill('Hello Ada');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByText('Message sent successfully')).toBeVisible();

  await page.goto('/bulk-send');
  const buffer = Buffer.from('country_code,phone,name\n1,4155550133,Bo');
  await page.locator('input[type="file"]').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('main').getByLabel('Project').selectOption('Shop');
  await page.getByLabel('Delay between messages').fill('0');
  await page.getByLabel('Message', { exact: true }).fill('Hi {name}');
  await page.getByRole('button', { name: 'Test first' }).click();
  await expect(page.getByText('Test message sent successfully')).toBeVisible();
  await page.getByLabel('Message', { exact: true }).fill('Hi again {name}');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Completed. Sent: 1, Failed: 0')).toBeVisible();
});

test('an invitation that is over says so', async ({ page }) => {
  await page.goto('/invitations/dpi_nothing');
  await expect(page.getByRole('heading', { name: 'This invitation has ended' })).toBeVisible();
});

/** Names of controls that change, send or export something. */
const changes =
  /^(New|Add|Create|Delete|Edit|Rename|Remove|Import|Export|Download|Activate|Deactivate|Run now|Pause|Resume|Cancel|Disconnect|Connect|Copy Auth Key|Send|Start)\b/;

test('a viewer sees the account and is offered nothing that their role does not allow', async ({ page, product }) => {
  test.slow();
  const owner = await signUpSubscriber(product.url);
  const project = await makeProject(owner);
  const phone = await connectSandboxPhone(owner, project.id);
  const { body: profile } = await owner.api.call(createProfile, {
    body: { phone: '14155550132', name: 'Ada Lindqvist' },
  });
  const condition = { fieldPath: 'name', operator: 'exists' } as const;
  const { body: segment } = await owner.api.call(createSegment, { body: { name: 'Everybody', condition } });
  const message = 'Hello';
  const { body: campaign } = await owner.api.call(createCampaign, {
    body: { name: 'Spring', project_id: project.id, segment_id: segment.id, message, when: '2099-01-01T00:00:00Z' },
  });
  const { body: flow } = await owner.api.call(createFlow, {
    body: { name: 'Welcome', conditions: [condition], action: { projectId: project.id, message }, active: false },
  });
  await owner.api.call(createTemplate, { body: { name: 'Greeting', message } });
  const viewer = await signUp(product.url);
  const { body: invitation } = await owner.api.call(invite, { body: { email: viewer.email, role: 'viewer' } });
  const token = invitation.url.slice(invitation.url.lastIndexOf('/') + 1);
  await viewer.api.call(acceptInvitation, { params: { token }, body: {} });

  await signInAs(page, '/', viewer);
  const found: string[] = [];
  for (const [path, seen] of [
    ['/projects', 'Shop'],
    [`/projects/${project.id}`, 'Shop'],
    [`/projects/${project.id}/phone-numbers`, 'Phone Numbers'],
    [`/phone-numbers/${phone.id}`, 'Health'],
    [`/projects/${project.id}/developers`, 'Keys'],
    ['/messages', 'Messages'],
    ['/profiles', 'Ada Lindqvist'],
    [`/profiles/${profile.id}`, 'Ada Lindqvist'],
    ['/segments', 'Everybody'],
    ['/campaigns', 'Spring'],
    [`/campaigns/${campaign.id}`, 'Spring'],
    ['/flows', 'Welcome'],
    [`/flows/${flow.id}`, 'Welcome'],
    ['/templates', 'Greeting'],
    ['/whatsapp-templates', 'WhatsApp'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(seen).first(), path).toBeVisible();
    await expect(page.locator('[aria-busy=true]'), path).toHaveCount(0);
    const offered = page.getByRole('main').locator('button:enabled, a').filter({ hasText: changes });
    for (const text of await offered.allTextContents()) found.push(`${path}: ${text}`);
  }
  expect(found).toEqual([]);
  await page.goto('/profiles');
  await expect(page.getByRole('button', { name: 'New Profile' })).toHaveAttribute(
    'title',
    'Your role in this account does not allow this',
  );
  await expectAccessible(page, 'profiles for a viewer');
});
