import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getCurrentUser, login } from '#contracts/accounts.ts';
import { listAuditEvents } from '#contracts/audit.ts';
import { endpoints } from '#contracts/index.ts';
import { listProjects } from '#contracts/projects.ts';
import {
  acceptInvitation,
  demandTwoFactor,
  invite,
  leaveTeam,
  listOwnAccounts,
  switchAccount,
} from '#contracts/team.ts';
import * as twoFactor from '#contracts/two-factor.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUp, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { joinAccount } from '#tests/support/join-account.ts';

let app: TestApplication;
beforeAll(async () => {
  app = await startTestApplication({ env: { ROLES: 'api' } });
});
afterAll(() => app[Symbol.asyncDispose]());

async function setUpApp(api: ApiClient): Promise<void> {
  const { secret } = (await api.call(twoFactor.setUpTotp)).body;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.ctx.clock.now().getTime() });
  await api.call(twoFactor.confirmTotp, { body: { code } });
}

const demand = ({ api }: Customer, required = true) => api.call(demandTwoFactor, { body: { required } });

/** An account that asks everybody, and an admin of it without a factor, who has an account of their own as well. */
async function makeDemanding(): Promise<{ owner: Customer; admin: Customer }> {
  const [owner, admin] = [await signUpSubscriber(app.url), await signUp(app.url)];
  await joinAccount(app, owner, admin, 'admin');
  await setUpApp(owner.api);
  await demand(owner);
  return { owner, admin };
}

test('a member without a second factor can do nothing but set one up, at once', async () => {
  const [owner, admin] = [await signUpSubscriber(app.url), await signUp(app.url)];
  await joinAccount(app, owner, admin, 'admin');
  expect((await owner.api.refuse(demandTwoFactor, { body: { required: true } })).body.code).toBe(
    'second_factor_missing',
  );
  await setUpApp(owner.api);
  const stream = await fetch(`${app.url}/api/events`, { headers: { authorization: admin.token } });
  expect((await demand(owner)).body).toEqual({ required: true });
  // The open page of the admin ends by itself.
  if (stream.status === 200) await stream.text();

  const me = (await admin.api.call(getCurrentUser)).body;
  expect(me).toMatchObject({
    second_factor_missing: true,
    account: { requires_two_factor: true },
    user: { api_key: null },
  });
  const closed = endpoints.filter(
    ({ callers, withoutSecondFactor, ofPerson }) =>
      callers !== 'anyone' && callers.includes('user') && !withoutSecondFactor && !ofPerson,
  );
  expect(closed.length).toBeGreaterThan(150);
  for (const { method, path } of closed) {
    const answer = await fetch(app.url + path.replaceAll(/\{\w+\}/g, '1'), {
      method,
      headers: { authorization: admin.token },
    });
    expect([path, answer.status, await answer.json()]).toMatchObject([path, 403, { code: 'second_factor_required' }]);
  }
  await setUpApp(admin.api);
  expect((await admin.api.call(getCurrentUser)).body.second_factor_missing).toBe(false);
  expect((await admin.api.call(listProjects)).status).toBe(200);
});

test('a sign-in without a factor is let in to set one up, and sees no key', async () => {
  const { owner } = await makeDemanding();
  await owner.api.call(twoFactor.removeTotp);
  const { email, password } = owner;
  const { body } = await createApiClient(app.url).call(login, { body: { email, password } });
  expect(body).toMatchObject({ token: expect.any(String) as string, user: { api_key: null } });
});

test('other accounts and keys of programs are not concerned, and the account may be left', async () => {
  const { owner, admin } = await makeDemanding();
  const program = createApiClient(app.url, { authorization: owner.apiKey });
  expect((await program.call(listProjects)).status).toBe(200);
  const own = (await admin.api.call(listOwnAccounts)).body.data.find(({ current }) => !current);
  const moved = await admin.api.call(switchAccount, { body: { account_id: own?.id ?? 0 } });
  expect(moved.body.second_factor_missing).toBe(false);
  expect((await admin.api.call(switchAccount, { body: { account_id: owner.id } })).body.second_factor_missing).toBe(
    true,
  );
  expect((await admin.api.call(leaveTeam)).status).toBe(204);
});

test('somebody who joins comes to the setting up first', async () => {
  const { owner } = await makeDemanding();
  const { body } = await owner.api.call(invite, { body: { email: 'grace@example.com', role: 'viewer' } });
  const params = { token: body.url.slice(body.url.lastIndexOf('/') + 1) };
  const person = { name: 'Grace', password: 'correct horse battery' };
  const joined = await createApiClient(app.url).call(acceptInvitation, { params, body: person });
  const api = createApiClient(app.url, { authorization: joined.body.token });
  expect((await api.call(getCurrentUser)).body.second_factor_missing).toBe(true);
  expect((await api.refuse(listProjects)).body.code).toBe('second_factor_required');
});

test('owners and admins ask for it and take it back, and the audit log has both', async () => {
  const { owner, admin } = await makeDemanding();
  await setUpApp(admin.api);
  await demand(admin, false);
  const viewer = await signUp(app.url);
  await joinAccount(app, owner, viewer, 'viewer');
  expect((await viewer.api.call(getCurrentUser)).body.second_factor_missing).toBe(false);
  expect((await viewer.api.refuse(demandTwoFactor, { body: { required: false } })).body.code).toBe(
    'missing_permission',
  );
  const acts = (await owner.api.call(listAuditEvents, { query: { action: 'account.two_factor_demanded' } })).body.data;
  expect(acts).toHaveLength(2);
  expect(acts[0]?.changes).toHaveProperty('requires_two_factor_since');
});
