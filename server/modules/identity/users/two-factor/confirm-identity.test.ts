import { afterAll, beforeAll, expect, test } from 'vitest';
import { getCurrentUser } from '#contracts/accounts.ts';
import { endpoints } from '#contracts/index.ts';
import { createProjectKey } from '#contracts/project-keys.ts';
import { rotateAuthKey } from '#contracts/projects.ts';
import { acceptInvitation, invite, removeMember, updateMember } from '#contracts/team.ts';
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
    const path = endpoint.path.replaceAll('{projectId}', String(projectId)).replaceAll('{keyId}', String(key.id));
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
  expect(asked.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      '/api/auth/update-email',
      '/api/auth/update-password',
      '/api/auth/regenerate-api-key',
      '/api/projects/{projectId}/keys',
      '/api/projects/{projectId}/auth-key/rotate',
      '/api/subscription/create-order',
      '/api/subscription/cancel',
    ]),
  );
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
});
