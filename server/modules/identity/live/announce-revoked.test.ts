import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccountKey, deleteAccountKey } from '#contracts/account-keys.ts';
import { login, logout, regenerateApiKey, updateCurrentUser, updatePassword } from '#contracts/accounts.ts';
import { createProjectKey, deleteProjectKey, rotateProjectKey } from '#contracts/project-keys.ts';
import { deleteProject, rotateAuthKey } from '#contracts/projects.ts';
import { endSession, listSessions, signOutEverywhere } from '#contracts/security-events.ts';
import { leaveTeam, removeMember, updateMember } from '#contracts/team.ts';
import { resumeAccount, suspendAccount } from '#server/modules/identity/accounts/index.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { asOwner } from '#tests/support/as-owner.ts';
import { makeProject, proveIdentity, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer, OwnProject } from '#tests/support/customer.ts';
import { joinAccount } from '#tests/support/join-account.ts';
import { patience } from '#tests/support/patience.ts';
import { credentialsChannel, projectKeysChannel } from './channels.ts';

/** Its triggers tell of nothing, as where the tables lie on a worker of Citus. */
let app: TestApplication;
let ear: pg.Client;
const heard: { channel: string; payload?: string | undefined }[] = [];

beforeAll(async () => {
  app = await startTestApplication();
  await asOwner(
    app,
    `do $$
     declare announcing record;
     begin
       for announcing in
         select tgname, tgrelid::regclass as relation from pg_trigger t join pg_proc p on p.oid = t.tgfoid
          where p.prosrc like '%pg_notify(%' and not tgisinternal
       loop
         execute format('alter table %s disable trigger %I', announcing.relation, announcing.tgname);
       end loop;
     end $$`,
  );
  ear = new pg.Client({ connectionString: app.ownerConnectionString });
  await ear.connect();
  ear.on('notification', ({ channel, payload }) => void heard.push({ channel, payload }));
  for (const channel of [credentialsChannel, projectKeysChannel]) await ear.query(`listen ${channel}`);
});

afterAll(async () => {
  await ear.end();
  await app[Symbol.asyncDispose]();
});

type Scene = { customer: Customer; project: OwnProject; member: Customer };

async function makeScene(): Promise<Scene> {
  const customer = await signUpSubscriber(app.url);
  const member = await signUp(app.url);
  await joinAccount(app, customer, member, 'admin');
  await proveIdentity(customer);
  return { customer, project: await makeProject(customer), member };
}

const makeKey = async ({ customer, project }: Scene) => {
  const params = { projectId: project.id };
  const { body } = await customer.api.call(createProjectKey, {
    params,
    body: { name: 'Shop', scopes: ['messages:send'] },
  });
  return { ...params, keyId: body.id };
};

type Verb = (scene: Scene) => Promise<() => Promise<unknown>>;

/** Each makes what it needs, and answers the act. */
const ofCredentials: Record<string, Verb> = {
  'a sign-out':
    async ({ customer }) =>
    () =>
      customer.api.call(logout),
  'the end of another session': async ({ customer }) => {
    await createApiClient(app.url).call(login, { body: { email: customer.email, password: customer.password } });
    const { body } = await customer.api.call(listSessions);
    const other = body.data.find(({ current }) => !current);
    return () => customer.api.call(endSession, { params: { sessionId: other?.id ?? 0 } });
  },
  'a sign-out everywhere':
    async ({ customer }) =>
    () =>
      customer.api.call(signOutEverywhere, { query: {} }),
  'a new password':
    async ({ customer }) =>
    () =>
      customer.api.call(updatePassword, {
        body: { currentPassword: customer.password, newPassword: 'correct horse staple' },
      }),
  'a new api_key':
    async ({ customer }) =>
    () =>
      customer.api.call(regenerateApiKey),
  'a key of the account that is deleted': async ({ customer }) => {
    const { body } = await customer.api.call(createAccountKey, { body: { name: 'Shop', scopes: ['messages:read'] } });
    return () => customer.api.call(deleteAccountKey, { params: { accountKeyId: body.id ?? 0 } });
  },
  'a member who may do less':
    async ({ customer, member }) =>
    () =>
      customer.api.call(updateMember, { params: { userId: member.id }, body: { role: 'viewer' } }),
  'a member who is removed':
    async ({ customer, member }) =>
    () =>
      customer.api.call(removeMember, { params: { userId: member.id } }),
  'a member who leaves':
    async ({ member }) =>
    () =>
      member.api.call(leaveTeam),
};

const ofProjectKeys: Record<string, Verb> = {
  'a key that is deleted': async (scene) => {
    const params = await makeKey(scene);
    return () => scene.customer.api.call(deleteProjectKey, { params });
  },
  'a key that is rotated': async (scene) => {
    const params = await makeKey(scene);
    return () => scene.customer.api.call(rotateProjectKey, { params, body: { overlap_hours: 0 } });
  },
  'a new auth_key':
    async ({ customer, project }) =>
    () =>
      customer.api.call(rotateAuthKey, { params: { projectId: project.id }, body: {} }),
  'a project that is deleted':
    async ({ customer, project }) =>
    () =>
      customer.api.call(deleteProject, { params: { projectId: project.id } }),
  'another time zone':
    async ({ customer }) =>
    () =>
      customer.api.call(updateCurrentUser, { body: { timezone: 'Europe/Berlin' } }),
  'a suspension':
    async ({ customer }) =>
    () =>
      suspendAccount(app.ctx, { accountId: customer.id, reason: 'Spam' }),
  'the end of a suspension': async ({ customer }) => {
    await suspendAccount(app.ctx, { accountId: customer.id, reason: 'Spam' });
    return () => resumeAccount(app.ctx, { accountId: customer.id });
  },
};

test.each(Object.entries(ofCredentials))('%s is told to all processes by the verb itself', async (_, verb) => {
  const act = await verb(await makeScene());
  await ear.query('select');
  heard.length = 0;
  await act();
  await expect.poll(() => heard, patience).toContainEqual({ channel: credentialsChannel, payload: '' });
});

test.each(Object.entries(ofProjectKeys))('%s is told to all processes by the verb itself', async (_, verb) => {
  const scene = await makeScene();
  const act = await verb(scene);
  await ear.query('select');
  heard.length = 0;
  await act();
  const told = { channel: projectKeysChannel, payload: String(scene.customer.id) };
  await expect.poll(() => heard, patience).toContainEqual(told);
});
