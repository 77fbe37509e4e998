import { receiveSandboxMessage } from '#contracts/messages.ts';
import { createProfile } from '#contracts/profiles.ts';
import { acceptInvitation, invite, removeMember } from '#contracts/team.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

const ada = '14155550132';
const bo = '14155550133';
const password = 'correct horse battery';

test('two people share an inbox: one takes a conversation and hands it over, and who leaves has none', async ({
  page,
  product,
  browser,
}) => {
  const owner = await signUpSubscriber(product.url);
  const project = await makeProject(owner);
  const phone = await connectSandboxPhone(owner, project.id);
  for (const [from, name] of [
    [ada, 'Ada Lindqvist'],
    [bo, 'Bo Nilsson'],
  ] as const) {
    await owner.api.call(createProfile, { body: { phone: from, name } });
    await owner.api.call(receiveSandboxMessage, { params: { phoneId: phone.id }, body: { from, message: 'Hello?' } });
  }
  const email = `grace-${owner.id}@example.com`;
  const { body: invitation } = await owner.api.call(invite, { body: { email, role: 'agent' } });
  const anyone = createApiClient(product.url);
  const { body: grace } = await anyone.call(acceptInvitation, {
    params: { token: invitation.url.slice(invitation.url.lastIndexOf('/') + 1) },
    body: { name: 'Grace Hopper', password },
  });

  await signInAs(page, '/inbox', owner);
  const elsewhere = await browser.newContext();
  const agent = await elsewhere.newPage();
  await signInAs(agent, '/inbox', { api: anyone.as({ authorization: grace.token }), token: grace.token });
  const [ownerList, agentList] = [page, agent].map((each) => each.getByRole('list', { name: 'Conversations' }));
  if (!ownerList || !agentList) throw new Error('Two pages are open');

  await agentList.getByRole('button', { name: /Ada Lindqvist/ }).click();
  await agent.getByRole('button', { name: 'Assigned to nobody' }).click();
  await agent.getByRole('menuitem', { name: 'You' }).click();
  await expect(agent.getByRole('button', { name: 'Assigned to You' })).toBeVisible();
  await expect(agent.getByRole('button', { name: 'Mine 1' })).toBeVisible();
  await expect(ownerList.getByText('Assigned to Grace Hopper')).toBeAttached();
  await page.getByRole('button', { name: 'Unassigned 1' }).click();
  await expect(ownerList.getByRole('button')).toHaveCount(1);
  await expect(ownerList.getByRole('button', { name: /Bo Nilsson/ })).toBeVisible();
  await expectAccessible(page, 'the inbox of a team');

  await agent.getByRole('button', { name: 'Assigned to You' }).click();
  await agent.getByRole('menuitem', { name: 'Ada Lovelace' }).click();
  await page.getByRole('button', { name: 'Mine 1' }).click();
  await ownerList.getByRole('button', { name: /Ada Lindqvist/ }).click();
  await page.getByRole('button', { name: 'Assigned to You' }).click();
  await page.getByRole('menuitem', { name: 'Grace Hopper' }).click();
  await expect(page.getByText('Nothing is yours')).toBeVisible();
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page, `an assigned conversation at ${width} pixels`);
  }

  await owner.api.call(removeMember, { params: { userId: grace.user.id } });
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeAttached();
  await expect(page.getByRole('button', { name: /^Assigned to/ })).toHaveCount(0);
  await elsewhere.close();
});
