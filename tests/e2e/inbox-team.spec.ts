import type { Browser, Page } from '@playwright/test';
import { listConversations, updateConversation } from '#contracts/conversations.ts';
import { listMessages, receiveSandboxMessage } from '#contracts/messages.ts';
import { createProfile } from '#contracts/profiles.ts';
import { acceptInvitation, invite, removeMember } from '#contracts/team.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import type { Product } from '#tests/support/product.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

const ada = '14155550132';
const bo = '14155550133';
const password = 'correct horse battery';
/** Conversations are looked for that come back once a minute. */
const untilTheNextRound = { timeout: 150_000 };

/** Joins by the link alone, as without a mail server. */
async function invitedAgent(
  url: string,
  owner: Customer,
  name: string,
): Promise<Pick<Customer, 'id' | 'token' | 'api'>> {
  const email = `${name.split(' ')[0]?.toLowerCase()}-${owner.id}@example.com`;
  const { body: invitation } = await owner.api.call(invite, { body: { email, role: 'agent' } });
  const { body } = await createApiClient(url).call(acceptInvitation, {
    params: { token: invitation.url.slice(invitation.url.lastIndexOf('/') + 1) },
    body: { name, password },
  });
  return { id: body.user.id, token: body.token, api: createApiClient(url, { authorization: body.token }) };
}

const writers = [
  [ada, 'Ada Lindqvist'],
  [bo, 'Bo Nilsson'],
] as const;

type Fixtures = { page: Page; product: Product; browser: Browser };
type Agent = Awaited<ReturnType<typeof invitedAgent>> & { page: Page };

/** An owner and agents with the inbox open, each in a browser of their own; the first so many of the writers have written. */
async function shareInbox(
  { page, product, browser }: Fixtures,
  { written, agents: names = ['Grace Hopper'] }: { written: 1 | 2; agents?: readonly string[] },
) {
  const owner = await signUpSubscriber(product.url);
  const project = await makeProject(owner);
  const { id: phoneId } = await connectSandboxPhone(owner, project.id);
  const receive = (from: string, message: string) =>
    owner.api.call(receiveSandboxMessage, { params: { phoneId }, body: { from, message } });
  for (const [from, name] of writers.slice(0, written)) {
    await owner.api.call(createProfile, { body: { phone: from, name } });
    await receive(from, 'Hello?');
  }
  await signInAs(page, '/inbox', owner);
  const agents: Agent[] = [];
  for (const name of names) {
    const agent = await invitedAgent(product.url, owner, name);
    const context = await browser.newContext();
    const inbox = await context.newPage();
    await signInAs(inbox, '/inbox', agent);
    agents.push({ ...agent, page: inbox });
  }
  const close = () => Promise.all(agents.map((agent) => agent.page.context().close()));
  return { owner, project, receive, agents, close };
}

const listOf = (page: Page) => page.getByRole('list', { name: 'Conversations' });

test('two people share an inbox: one takes a conversation and hands it over, and who leaves has none', async ({
  page,
  product,
  browser,
}) => {
  const { owner, agents, close } = await shareInbox({ page, product, browser }, { written: 2 });
  const [grace] = agents;
  if (!grace) throw new Error('An agent has joined');
  const agent = grace.page;
  const [ownerList, agentList] = [listOf(page), listOf(agent)];

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
  await expect(page.getByRole('log').getByText('Grace Hopper took it')).toBeVisible();
  await expect(page.getByRole('log').getByText('Grace Hopper gave it to you')).toBeVisible();
  await page.getByRole('button', { name: 'Assigned to You' }).click();
  await page.getByRole('menuitem', { name: 'Grace Hopper' }).click();
  await expect(page.getByText('Nothing is yours')).toBeVisible();
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page, `an assigned conversation at ${width} pixels`);
  }

  await owner.api.call(removeMember, { params: { userId: grace.id } });
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeAttached();
  await expect(page.getByRole('button', { name: /^Assigned to/ })).toHaveCount(0);
  await close();
});

test('two people in one conversation see each other, do not answer twice, and who is removed while writing is out at once', async ({
  page,
  product,
  browser,
}) => {
  // Many steps of two pages, one after the other.
  test.slow();
  const { owner, project, receive, agents, close } = await shareInbox({ page, product, browser }, { written: 1 });
  const [grace] = agents;
  if (!grace) throw new Error('An agent has joined');
  const agent = grace.page;
  for (const each of [page, agent])
    await listOf(each)
      .getByRole('button', { name: /Ada Lindqvist/ })
      .click();

  // Each sees the other, and that they are about to answer.
  await agent.getByRole('textbox', { name: 'Message' }).pressSequentially('Good morning');
  await expect(page.getByText('Grace Hopper is writing')).toBeVisible();
  await page.getByRole('textbox', { name: 'Message' }).fill('We are open until six');
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
  await expect(agent.getByText('Somebody answered while you were writing.')).toBeVisible();
  await agent.getByRole('textbox', { name: 'Message' }).press('Enter');
  const question = agent.getByRole('alertdialog');
  await expect(question.getByText('We are open until six')).toBeVisible();
  await question.getByRole('button', { name: 'Keep editing' }).click();

  // A note names the other, whose bell says so until they open the conversation.
  await agent.goto('/');
  await page.getByRole('button', { name: 'Note', exact: true }).click();
  await page.getByRole('textbox', { name: 'Note' }).pressSequentially('Please call her @Gra');
  await page.getByRole('option', { name: 'Grace Hopper' }).click();
  await page.getByRole('textbox', { name: 'Note' }).press('Enter');
  await agent.getByRole('button', { name: 'Notifications, 1 unread' }).click();
  await expectAccessible(agent, 'the bell with a note');
  await agent.keyboard.press('Escape');
  await agent.goto('/inbox');
  await agent
    .getByRole('list', { name: 'Conversations' })
    .getByRole('button', { name: /Ada Lindqvist/ })
    .click();
  await expect(agent.getByRole('article', { name: 'Note by Ada Lovelace' })).toBeVisible();
  await expect(agent.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();

  // Put aside, it comes back to both as soon as the person writes.
  await page.getByRole('button', { name: 'Snooze', exact: true }).click();
  await page.getByRole('menuitem', { name: /^In 3 hours/ }).click();
  await expect(page.getByRole('list', { name: 'Conversations' }).getByRole('button')).toHaveCount(0);
  await receive(ada, 'Are you there?');
  await expect(
    page.getByRole('list', { name: 'Conversations' }).getByRole('button', { name: /Ada Lindqvist/ }),
  ).toBeVisible();

  // Removed amid a sentence: told without a reload, and nothing goes out.
  await agent.getByRole('textbox', { name: 'Message' }).fill('Yes, and');
  await owner.api.call(removeMember, { params: { userId: grace.id } });
  await expect(agent.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(agent.getByText('You are a member of no account any more.').first()).toBeVisible();
  const { body } = await owner.api.call(listMessages, { params: { projectId: project.id }, query: {} });
  expect(body.data.filter(({ direction }) => direction === 'outgoing').map(({ message }) => message)).toEqual([
    'We are open until six',
  ]);
  await close();
});

test('three people hand a conversation round, and once its time has come all three have it back', async ({
  page,
  product,
  browser,
}) => {
  test.slow();
  const { agents, close } = await shareInbox(
    { page, product, browser },
    { written: 1, agents: ['Grace Hopper', 'Hedy Lamarr'] },
  );
  const hedy = agents[1];
  if (!hedy) throw new Error('Two agents have joined');
  const pages = [page, ...agents.map((agent) => agent.page)];
  const [own, graces, hedys] = pages.map((each) => ({
    page: each,
    row: listOf(each).getByRole('button', { name: /Ada Lindqvist/ }),
  }));
  if (!own || !graces || !hedys) throw new Error('Three pages are open');

  // From the owner to Grace, from her to Hedy: each is told, and the third sees whose it is.
  for (const [from, to, third] of [
    [own, 'Grace Hopper', hedys],
    [graces, 'Hedy Lamarr', own],
  ] as const) {
    await from.row.click();
    await from.page.getByRole('button', { name: /^Assigned to/ }).click();
    await from.page.getByRole('menuitem', { name: to }).click();
    await expect(third.row.getByText(`Assigned to ${to}`)).toBeAttached();
  }
  await expect(hedys.page.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible();
  await expect(hedys.page.getByRole('button', { name: 'Mine 1' })).toBeVisible();

  // Put aside for a moment, it is away for all, and comes back to all by the clock.
  const { body } = await hedy.api.call(listConversations, { query: {} });
  const conversationId = body.data[0]?.id ?? 0;
  const until = new Date(Date.now() + 5_000).toISOString();
  await hedy.api.call(updateConversation, { params: { conversationId }, body: { snoozed_until: until } });
  for (const { row } of [own, graces, hedys]) await expect(row).toHaveCount(0);
  for (const { row } of [own, graces, hedys]) await expect(row).toBeVisible(untilTheNextRound);
  await close();
});
