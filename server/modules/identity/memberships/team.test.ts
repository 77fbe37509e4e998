import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccountKey, listAccountKeys } from '#contracts/account-keys.ts';
import { getCurrentUser, logout, register } from '#contracts/accounts.ts';
import { deleteProject, getProject, listProjects } from '#contracts/projects.ts';
import type { Role } from '#contracts/roles.ts';
import * as contract from '#contracts/team.ts';
import type { MemberChange } from '#contracts/team.ts';
import { subscribeLive } from '#server/modules/identity/live/index.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { holdLock } from '#tests/support/hold-lock.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { untilSomebodyWaits } from '#tests/support/until-somebody-waits.ts';

const clock = createTestClock();
const dayMs = 86_400_000;
let app: TestApplication;
beforeAll(async () => {
  app = await startTestApplication({ clock, env: { PROJECT_LIMIT: '5' } });
});
afterAll(() => app[Symbol.asyncDispose]());

let invited = 0;
const password = 'correct horse battery';

async function inviteTo(owner: Pick<Customer, 'api'>, role: Role, project_ids: number[] | null = null) {
  invited += 1;
  const email = `invited-${invited}@example.com`;
  const { body } = await owner.api.call(contract.invite, { body: { email, role, project_ids } });
  return { ...body, token: body.url.slice(body.url.lastIndexOf('/') + 1) };
}

type Joined = { id: number; email: string; token: string; api: ApiClient };

async function join(owner: Pick<Customer, 'api'>, role: Role, projectIds: number[] | null = null): Promise<Joined> {
  const { token } = await inviteTo(owner, role, projectIds);
  const { body } = await createApiClient(app.url).call(contract.acceptInvitation, {
    params: { token },
    body: { name: 'Grace Hopper', password },
  });
  const api = createApiClient(app.url, { authorization: body.token });
  return { id: body.user.id, email: body.user.email, token: body.token, api };
}

const teamOf = async ({ api }: Pick<Customer, 'api'>) => (await api.call(contract.getTeam)).body;
const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code];

test('somebody new is invited, sees to what, and joins by name and password', async () => {
  const owner = await signUpSubscriber(app.url);
  await owner.api.call(contract.renameAccount, { body: { name: 'Larkspur' } });
  const invitation = await inviteTo(owner, 'agent');
  expect(invitation.url).toBe(`${app.ctx.config.publicUrl}/invitations/${invitation.token}`);
  const anyone = createApiClient(app.url);
  const params = { token: invitation.token };
  expect((await anyone.call(contract.getInvitation, { params })).body).toEqual({
    account: { name: 'Larkspur' },
    inviter: { name: 'Ada Lovelace' },
    role: 'agent',
    projects: null,
    email: invitation.email,
    has_user: false,
    requires_two_factor: false,
    expires_at: invitation.expires_at,
  });
  const { body } = await anyone.call(contract.acceptInvitation, { params, body: { name: 'Grace', password } });
  expect(body.user).toMatchObject({ name: 'Grace', email: invitation.email, api_key: null });
  const grace = createApiClient(app.url, { authorization: body.token });
  expect((await grace.call(getCurrentUser)).body).toMatchObject({
    account: { id: owner.id, name: 'Larkspur' },
    role: 'agent',
    project_ids: null,
    subscription: { hasActiveSubscription: true },
  });
  expect((await grace.call(contract.listOwnAccounts)).body.data).toEqual([
    { id: owner.id, name: 'Larkspur', role: 'agent', current: true },
  ]);
  expect(await teamOf(owner)).toMatchObject({
    members: [
      { id: owner.id, role: 'owner', project_ids: null, two_factor: false },
      { id: body.user.id, name: 'Grace', email: invitation.email, role: 'agent' },
    ],
    invitations: [],
  });
  expect(codeOf(await anyone.refuse(contract.getInvitation, { params }))).toEqual([404, 'not_found']);
  const again = { email: invitation.email, role: 'viewer' } as const;
  expect(codeOf(await owner.api.refuse(contract.invite, { body: again }))).toEqual([409, 'already_member']);
});

test('a signed-in person joins with the invited address alone, and switches between accounts', async () => {
  const owner = await signUpSubscriber(app.url);
  const [person, other] = [await signUp(app.url), await signUp(app.url)];
  const { body } = await owner.api.call(contract.invite, {
    body: { email: person.email.toUpperCase(), role: 'viewer' },
  });
  const params = { token: body.url.slice(body.url.lastIndexOf('/') + 1) };
  const refused = await other.api.refuse(contract.acceptInvitation, { params, body: {} });
  expect(codeOf(refused)).toEqual([403, 'other_address']);
  const accepted = await person.api.call(contract.acceptInvitation, { params, body: {} });
  expect(accepted.body).toMatchObject({ token: person.token, user: { id: person.id, api_key: null } });
  const currentId = async () => (await person.api.call(getCurrentUser)).body.account.id;
  expect(await currentId()).toBe(owner.id);
  const { body: switched } = await person.api.call(contract.switchAccount, { body: { account_id: person.id } });
  expect(switched).toMatchObject({ account: { id: person.id }, role: 'owner', user: { api_key: person.apiKey } });
  expect(await currentId()).toBe(person.id);
  const stale = person.api.as({ authorization: person.token, 'current-account-id': String(owner.id) });
  expect(codeOf(await stale.refuse(getCurrentUser))).toEqual([409, 'account_switched']);
  await stale.call(contract.switchAccount, { body: { account_id: owner.id } });
  await stale.call(getCurrentUser);
  const unknown = { body: { account_id: other.id } };
  expect((await person.api.refuse(contract.switchAccount, unknown)).status).toBe(404);
});

test('a link ends after seven days, when it is sent again, withdrawn, or when its maker loses their role', async () => {
  const owner = await signUpSubscriber(app.url);
  const admin = await join(owner, 'admin');
  const anyone = createApiClient(app.url);
  const see = async (token: string) => (await anyone.refuse(contract.getInvitation, { params: { token } })).status;
  const first = await inviteTo(owner, 'viewer');
  const resend = { params: { invitationId: first.id } };
  const { body: second } = await owner.api.call(contract.resendInvitation, resend);
  expect(await see(first.token)).toBe(404);
  const token = second.url.slice(second.url.lastIndexOf('/') + 1);
  await anyone.call(contract.getInvitation, { params: { token } });
  clock.advance(7 * dayMs);
  const expired = await anyone.refuse(contract.acceptInvitation, {
    params: { token },
    body: { name: 'Eve', password },
  });
  expect(codeOf(expired)).toEqual([410, 'invitation_expired']);
  await owner.api.call(contract.withdrawInvitation, resend);
  expect(await see(token)).toBe(404);
  const ofAdmin = await inviteTo(admin, 'admin');
  await owner.api.call(contract.updateMember, { params: { userId: admin.id }, body: { role: 'viewer' } });
  expect(await see(ofAdmin.token)).toBe(404);
});

test('a member whose role is saved as it was keeps the invitations that they made', async () => {
  const owner = await signUpSubscriber(app.url);
  const projectIds = [(await makeProject(owner)).id, (await makeProject(owner)).id];
  const admin = await join(owner, 'admin');
  const { id } = await inviteTo(admin, 'viewer');
  const idsOf = async () => (await teamOf(owner)).invitations.map((invitation) => invitation.id);
  const change = (body: MemberChange, userId = admin.id) =>
    owner.api.call(contract.updateMember, { params: { userId }, body });
  for (const body of [{}, { role: 'admin' as const }, { role: 'admin' as const, project_ids: null }]) {
    expect((await change(body)).body).toMatchObject({ id: admin.id, role: 'admin' });
    expect(await idsOf()).toEqual([id]);
  }
  const agent = await join(owner, 'agent', projectIds);
  const turned = await change({ project_ids: projectIds.toReversed() }, agent.id);
  expect(new Set(turned.body.project_ids)).toEqual(new Set(projectIds));
  await change({ role: 'viewer' });
  expect(await idsOf()).toEqual([]);
});

test('owners alone make owners and change them, and one stays', async () => {
  const owner = await signUpSubscriber(app.url);
  const admin = await join(owner, 'admin');
  const forOwner = { params: { userId: owner.id } };
  const refusals = [
    await admin.api.refuse(contract.invite, { body: { email: 'boss@example.com', role: 'owner' } }),
    await admin.api.refuse(contract.updateMember, { ...forOwner, body: { role: 'viewer' } }),
    await admin.api.refuse(contract.updateMember, { params: { userId: admin.id }, body: { role: 'owner' } }),
    await admin.api.refuse(contract.removeMember, forOwner),
  ];
  for (const { status, body } of refusals) {
    expect([status, body.code]).toEqual([403, 'missing_permission']);
    expect(body.message).toContain('owners:write');
  }
  expect(codeOf(await owner.api.refuse(contract.leaveTeam))).toEqual([409, 'last_owner']);
  const demoted = await owner.api.refuse(contract.updateMember, { ...forOwner, body: { role: 'admin' } });
  expect(codeOf(demoted)).toEqual([409, 'last_owner']);
  await owner.api.call(contract.updateMember, { params: { userId: admin.id }, body: { role: 'owner' } });
  await owner.api.call(contract.leaveTeam);
  expect((await teamOf(admin)).members).toMatchObject([{ id: admin.id, role: 'owner' }]);
});

test('of two last owners who leave at once, one stays', async () => {
  const owner = await signUpSubscriber(app.url);
  const other = await join(owner, 'owner');
  const answers = await Promise.allSettled([owner.api.call(contract.leaveTeam), other.api.call(contract.leaveTeam)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const [left] = answers.map(({ status }) => status);
  expect((await teamOf(left === 'fulfilled' ? other : owner)).members).toMatchObject([{ role: 'owner' }]);
});

test('an invitation is accepted once, however many try, and not while it is withdrawn', async () => {
  const owner = await signUpSubscriber(app.url);
  const { token, id } = await inviteTo(owner, 'viewer');
  const accept = () =>
    createApiClient(app.url).call(contract.acceptInvitation, { params: { token }, body: { name: 'Grace', password } });
  const answers = await Promise.allSettled([
    accept(),
    accept(),
    owner.api.call(contract.withdrawInvitation, { params: { invitationId: id } }),
  ]);
  const [first, second, withdrawn] = answers.map(({ status }) => status);
  const accepted = [first, second].filter((status) => status === 'fulfilled').length;
  expect(accepted).toBe(withdrawn === 'fulfilled' ? 0 : 1);
  expect((await teamOf(owner)).members).toHaveLength(1 + accepted);
});

test('a removed member is out at once, and without an account may only manage their own user', async () => {
  const owner = await signUpSubscriber(app.url);
  const agent = await join(owner, 'agent');
  const stream = await fetch(`${app.url}/api/events`, { headers: { authorization: agent.token } });
  expect(stream.status).toBe(200);
  await owner.api.call(contract.removeMember, { params: { userId: agent.id } });
  await stream.text();
  expect(codeOf(await agent.api.refuse(listProjects))).toEqual([403, 'no_account']);
  expect((await agent.api.call(contract.listOwnAccounts)).body.data).toEqual([]);
  await agent.api.call(logout);
  expect((await agent.api.refuse(contract.listOwnAccounts)).status).toBe(401);
});

test('all that changes in the team is told to the open pages of the account, those of other members included', async () => {
  const owner = await signUpSubscriber(app.url);
  const watcher = await join(owner, 'viewer');
  const heard: unknown[] = [];
  const unsubscribe = subscribeLive(app.ctx, (event) => heard.push(event), { accountId: owner.id });
  const tells = async (act: () => Promise<unknown>) => {
    heard.length = 0;
    await act();
    await expect.poll(() => heard).toContainEqual({ type: 'team.changed' });
  };
  let invitationId = 0;
  await tells(async () => {
    invitationId = (await inviteTo(owner, 'viewer')).id;
  });
  await tells(() => owner.api.call(contract.resendInvitation, { params: { invitationId } }));
  await tells(() => owner.api.call(contract.withdrawInvitation, { params: { invitationId } }));
  let joined: Joined | undefined;
  await tells(async () => {
    joined = await join(owner, 'agent');
  });
  const userId = joined?.id ?? 0;
  await tells(() => owner.api.call(contract.updateMember, { params: { userId }, body: { role: 'viewer' } }));
  await tells(() => owner.api.call(contract.removeMember, { params: { userId } }));
  await tells(() => watcher.api.call(contract.leaveTeam));
  unsubscribe();
});

test('a member who is narrowed sees their projects alone, from the next request on', async () => {
  const owner = await signUpSubscriber(app.url);
  const [one, two] = [await makeProject(owner), await makeProject(owner)];
  const { token } = await inviteTo(owner, 'viewer', [one.id]);
  const { body: seenBefore } = await createApiClient(app.url).call(contract.getInvitation, { params: { token } });
  expect(seenBefore.projects).toEqual([one.name]);
  const developer = await join(owner, 'developer', [one.id]);
  const seen = async () => (await developer.api.call(listProjects)).body.data.map(({ id }) => id);
  expect(await seen()).toEqual([one.id]);
  const { body: own } = await developer.api.call(getProject, { params: { projectId: one.id } });
  expect(own.auth_key).toBe(one.auth_key);
  const twice = { params: { userId: developer.id }, body: { project_ids: [two.id, two.id] } };
  expect((await owner.api.call(contract.updateMember, twice)).body.project_ids).toEqual([two.id]);
  expect(await seen()).toEqual([two.id]);
  const toViewer = { params: { userId: developer.id }, body: { role: 'viewer', project_ids: null } } as const;
  await owner.api.call(contract.updateMember, toViewer);
  expect(await seen()).toEqual([two.id, one.id]);
  const { body: hidden } = await developer.api.call(getProject, { params: { projectId: one.id } });
  expect(hidden).toMatchObject({ auth_key: null, webhook_secret: null });
  for (const body of [{ project_ids: [999_999] }, { role: 'owner', project_ids: [one.id] }] as const) {
    const refused = await owner.api.refuse(contract.updateMember, {
      params: { userId: developer.id },
      body: { ...body, project_ids: [...body.project_ids] },
    });
    expect(refused.body.errors).toMatchObject([{ path: 'project_ids' }]);
  }
});

test('the role of a member is changed also where a project of theirs was deleted', async () => {
  const owner = await signUpSubscriber(app.url);
  const [kept, gone] = [await makeProject(owner), await makeProject(owner)];
  const projectIds = [kept.id, gone.id];
  const { id: userId } = await join(owner, 'agent', projectIds);
  await owner.api.call(deleteProject, { params: { projectId: gone.id } });
  const change = (body: MemberChange) => ({ params: { userId }, body });
  const { body } = await owner.api.call(contract.updateMember, change({ role: 'viewer' }));
  expect(body).toMatchObject({ role: 'viewer', project_ids: projectIds });
  await owner.api.call(contract.updateMember, change({ role: 'agent', project_ids: projectIds }));
  await owner.api.call(contract.updateMember, change({ project_ids: [kept.id] }));
  expect((await owner.api.refuse(contract.updateMember, change({ project_ids: projectIds }))).status).toBe(422);
});

test('where sign-up is by invitation, people come by that alone; where it is closed, nobody new does', async () => {
  const owner = await signUpSubscriber(app.url);
  for (const setting of ['invited', 'closed'] as const) {
    await using narrow = await startTestApplication({
      clock,
      env: { SIGN_UP: setting, ROLES: 'api' },
      connectionString: app.connectionString,
    });
    const anyone = createApiClient(narrow.url);
    const person = { name: 'Eve', email: 'eve@example.com', password };
    expect(codeOf(await anyone.refuse(register, { body: person }))).toEqual([403, 'sign_up_closed']);
    const { token } = await inviteTo(owner, 'viewer');
    const accept = { params: { token }, body: { name: 'Eve', password } };
    if (setting === 'invited') await anyone.call(contract.acceptInvitation, accept);
    else expect(codeOf(await anyone.refuse(contract.acceptInvitation, accept))).toEqual([403, 'sign_up_closed']);
  }
});

test.each(['removed', 'demoted'] as const)(
  'of two last owners who are %s by each other at once, one stays',
  async (how) => {
    const owner = await signUpSubscriber(app.url);
    const other = await join(owner, 'owner');
    const act = (by: Pick<Customer, 'api'>, userId: number) =>
      how === 'removed'
        ? by.api.call(contract.removeMember, { params: { userId } })
        : by.api.call(contract.updateMember, { params: { userId }, body: { role: 'viewer' } });
    const answers = await Promise.allSettled([act(owner, other.id), act(other, owner.id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [first] = answers.map(({ status }) => status);
    const { members } = await teamOf(first === 'fulfilled' ? owner : other);
    expect(members.filter(({ role }) => role === 'owner')).toHaveLength(1);
  },
);

test('of an invitation and the removal of its maker at once, one comes first, and nothing half done stays', async () => {
  const owner = await signUpSubscriber(app.url);
  const admin = await join(owner, 'admin');
  const { token } = await inviteTo(admin, 'viewer');
  const accept = createApiClient(app.url).call(contract.acceptInvitation, {
    params: { token },
    body: { name: 'Grace', password },
  });
  const [accepted, removed] = await Promise.allSettled([
    accept,
    owner.api.call(contract.removeMember, { params: { userId: admin.id } }),
  ]);
  expect(removed.status).toBe('fulfilled');
  const { members, invitations } = await teamOf(owner);
  expect(invitations).toEqual([]);
  // Whichever came first decided: there is no member without an answer, and no answer without a member.
  expect(members).toHaveLength(accepted.status === 'fulfilled' ? 2 : 1);
});

test('an admin who is removed while their request waits invites nobody, removes nobody, and makes no key', async () => {
  const owner = await signUpSubscriber(app.url);
  const agent = await join(owner, 'agent');
  const { id: waiting } = await inviteTo(owner, 'viewer');
  const forAgent = { params: { userId: agent.id } };
  const acts: ((admin: Joined) => Promise<unknown>)[] = [
    ({ api }) => api.refuse(contract.invite, { body: { email: 'friend@example.com', role: 'admin' } }),
    ({ api }) => api.refuse(contract.resendInvitation, { params: { invitationId: waiting } }),
    ({ api }) => api.refuse(contract.updateMember, { ...forAgent, body: { role: 'admin' } }),
    ({ api }) => api.refuse(contract.removeMember, forAgent),
    ({ api }) => api.refuse(createAccountKey, { body: { name: 'Later', scopes: ['contacts:read'] } }),
  ];
  for (const act of acts) {
    const admin = await join(owner, 'admin');
    const release = await holdLock(app.ctx.pool, 'select from accounts where id = $1 for update', [owner.id]);
    const answer = act(admin);
    await untilSomebodyWaits(app.ctx.pool);
    await app.ctx.db
      .updateTable('memberships')
      .set({ removed_at: clock.now() })
      .where('user_id', '=', admin.id)
      .execute();
    await release();
    expect(await answer).toMatchObject({ status: 403, body: { code: 'no_account' } });
  }
  const { members, invitations } = await teamOf(owner);
  expect(members).toMatchObject([{ role: 'owner' }, { id: agent.id, role: 'agent' }]);
  expect(invitations).toMatchObject([{ id: waiting }]);
  expect((await owner.api.call(listAccountKeys)).body.data).toHaveLength(1);
});

test('a session that ends while it makes a key makes none', async () => {
  const owner = await signUpSubscriber(app.url);
  const release = await holdLock(app.ctx.pool, 'select from accounts where id = $1 for update', [owner.id]);
  const answer = owner.api.refuse(createAccountKey, { body: { name: 'Later', scopes: ['contacts:read'] } });
  await untilSomebodyWaits(app.ctx.pool);
  await app.ctx.db.deleteFrom('sessions').where('account_id', '=', owner.id).execute();
  await release();
  expect(codeOf(await answer)).toEqual([401, 'unauthenticated']);
});
