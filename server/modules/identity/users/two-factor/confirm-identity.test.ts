import { afterAll, beforeAll, expect, test } from 'vitest';
import { getCurrentUser } from '#contracts/accounts.ts';
import type { Endpoint } from '#contracts/endpoint.ts';
import { endpoints } from '#contracts/index.ts';
import { createProjectKey } from '#contracts/project-keys.ts';
import { rotateAuthKey } from '#contracts/projects.ts';
import { acceptInvitation, invite, leaveTeam, removeMember, updateMember } from '#contracts/team.ts';
import { confirmIdentity } from '#contracts/two-factor.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { createTestClock } from '#tests/support/test-clock.ts';

const minuteMs = 60_000;
const clock = createTestClock();
let app: TestApplication;
beforeAll(async () => {
  app = await startTestApplication({ clock, env: { ROLES: 'api' } });
});
afterAll(() => app[Symbol.asyncDispose]());

const anyone = () => createApiClient(app.url);

test('address, password, keys, payment and owners are sensitive, too; the api_key is not shown meanwhile', async () => {
  const person = await signUpSubscriber(app.url);
  const { api, password } = person;
  const { id: projectId } = await makeProject(person);
  const { body: key } = await api.call(createProjectKey, {
    params: { projectId },
    body: { name: 'Shop', scopes: ['messages:send'] },
  });
  clock.advance(15 * minuteMs);
  const asked = endpoints.filter(({ confirmsIdentity }) => confirmsIdentity);
  for (const endpoint of asked) {
    const path = endpoint.path
      .replaceAll('{projectId}', String(projectId))
      .replaceAll('{keyId}', String(key.id))
      .replaceAll(/\{\w+\}/g, '1');
    const answer = await fetch(app.url + path, {
      method: endpoint.method,
      headers: { authorization: person.token, 'content-type': 'application/json' },
      body: '{ no JSON',
    });
    expect([endpoint.path, answer.status, await answer.json()]).toMatchObject([
      endpoint.path,
      403,
      { code: 'confirm_identity' },
    ]);
  }
  const owner = { email: 'owner@example.com', role: 'owner' } as const;
  expect((await api.refuse(invite, { body: owner })).body.code).toBe('confirm_identity');
  const { body: invited } = await api.call(invite, { body: { ...owner, role: 'admin' } });
  const { body: joined } = await anyone().call(acceptInvitation, {
    params: { token: invited.url.slice(invited.url.lastIndexOf('/') + 1) },
    body: { name: 'Grace Hopper', password: 'correct horse battery' },
  });
  const promotion = { params: { userId: joined.user.id }, body: { role: 'owner' as const } };
  expect((await api.refuse(updateMember, promotion)).body.code).toBe('confirm_identity');
  expect((await api.call(getCurrentUser)).body.user.api_key).toBeNull();

  // Programs are bound by their scopes.
  const program = anyone().as({ authorization: person.apiKey });
  expect((await program.call(rotateAuthKey, { params: { projectId }, body: {} })).status).toBe(200);
  expect((await program.call(getCurrentUser)).body.user.api_key).toBe(person.apiKey);

  await api.call(confirmIdentity, { body: { password } });
  expect((await api.call(getCurrentUser)).body.user.api_key).toBe(person.apiKey);
  expect((await api.call(updateMember, promotion)).body.role).toBe('owner');
  clock.advance(15 * minuteMs);
  const removal = { params: { userId: joined.user.id } };
  expect((await api.refuse(removeMember, removal)).body.code).toBe('confirm_identity');
  await api.call(confirmIdentity, { body: { password } });
  expect((await api.call(removeMember, removal)).status).toBe(204);

  const { body: again } = await api.call(invite, { body: { email: 'second@example.com', role: 'owner' } });
  const second = await anyone().call(acceptInvitation, {
    params: { token: again.url.slice(again.url.lastIndexOf('/') + 1) },
    body: { name: 'Second', password: 'correct horse battery' },
  });
  const bySecond = anyone().as({ authorization: second.body.token });
  clock.advance(15 * minuteMs);
  expect((await bySecond.refuse(leaveTeam)).body.code).toBe('confirm_identity');
  await bySecond.call(confirmIdentity, { body: { password: 'correct horse battery' } });
  expect((await bySecond.call(leaveTeam)).status).toBe(204);
});

/** Changes of what is sensitive that need no new proof, and why. */
const unasked: Record<string, string> = {
  'DELETE /api/projects/{projectId}/keys/{keyId}': 'stops a key and shows none',
  'DELETE /api/account/keys/{accountKeyId}': 'stops a key and shows none',
  'PATCH /api/user/passkeys/{passkeyId}': 'changes a name',
  'POST /api/subscription/capture-order': 'ends what was begun with a proof and approved at the provider',
  'POST /api/subscription/test-approval': 'plays the provider',
  'POST /api/account/restore': 'deletes nothing',
  'DELETE /api/account/exports/{exportId}': 'ends a link',
};

test('e-mail, password, factors, keys and secrets made, export, deletion and payment are asked for, each of them', () => {
  const permissions = new Set(['keys:write', 'billing:write', 'owners:write']);
  const isSensitive = ({ path, permission }: Endpoint) =>
    permissions.has(permission ?? '') ||
    /two-factor|passkeys|identities|update-(email|password)|secret\/rotate|account\/export/.test(path);
  const changing = endpoints.filter(({ method, callers }) => method !== 'GET' && callers !== 'anyone');
  const names = (some: readonly Endpoint[]) => some.map(({ method, path }) => `${method} ${path}`).toSorted();
  const sensitive = names(changing.filter(isSensitive));
  expect(sensitive.length).toBeGreaterThan(25);
  const confirming = names(changing.filter(({ confirmsIdentity }) => confirmsIdentity));
  expect([...confirming, ...Object.keys(unasked)].toSorted()).toEqual(sensitive);
});
