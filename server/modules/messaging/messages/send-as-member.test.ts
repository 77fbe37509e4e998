import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendMessage } from '#contracts/messages.ts';
import type { Role } from '#contracts/roles.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer, OwnProject } from '#tests/support/customer.ts';
import { joinAccount } from '#tests/support/join-account.ts';

let app: TestApplication;
let owner: Customer;
let project: OwnProject;
let other: OwnProject;
beforeAll(async () => {
  app = await startTestApplication({ env: { PROJECT_LIMIT: '2' } });
  owner = await signUpSubscriber(app.url);
  [project, other] = [await makeProject(owner), await makeProject(owner)];
  await connectSandboxPhone(owner, project.id);
});
afterAll(() => app[Symbol.asyncDispose]());

async function member(role: Role, projectIds: number[] | null = null): Promise<Customer> {
  const person = await signUp(app.url);
  await joinAccount(app, owner, person, role, projectIds);
  return person;
}

const inProject = (projectId: number | undefined) => ({
  headers: projectId === undefined ? {} : { 'current-project-id': String(projectId) },
  body: { to: '14155550123', message: 'Hello' },
});

const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code];

test.each(['owner', 'admin', 'marketer', 'agent', 'developer'] as const)(
  'a session of %s sends for the project that it names',
  async (role) => {
    const { api } = role === 'owner' ? owner : await member(role);
    const { status, body } = await api.call(sendMessage, inProject(project.id));
    expect([status, body.project_id, body.message]).toEqual([200, project.id, 'Hello']);
  },
);

test('a session that names no project is asked for it, and the project of others is not there', async () => {
  const refused = await owner.api.refuse(sendMessage, inProject(undefined));
  expect(codeOf(refused)).toEqual([422, 'invalid_input']);
  expect(refused.body.errors).toMatchObject([{ path: 'current-project-id' }]);
  const stranger = await signUpSubscriber(app.url);
  expect((await stranger.api.refuse(sendMessage, inProject(project.id))).status).toBe(404);
  const narrowed = await member('agent', [other.id]);
  expect((await narrowed.api.refuse(sendMessage, inProject(project.id))).status).toBe(404);
});

test('a viewer sends nothing, and a key of the account has no project', async () => {
  const viewer = await member('viewer');
  expect(codeOf(await viewer.api.refuse(sendMessage, inProject(undefined)))).toEqual([403, 'missing_permission']);
  const byKey = owner.api.as({ authorization: owner.apiKey });
  expect(codeOf(await byKey.refuse(sendMessage, inProject(project.id)))).toEqual([401, 'wrong_key_kind']);
});

test('a member who repeats a request with its key sends once', async () => {
  const headers = { 'current-project-id': String(project.id), 'idempotency-key': 'once' };
  const call = { headers, body: { to: '14155550124', message: 'Once' } };
  const [first, again] = [await owner.api.call(sendMessage, call), await owner.api.call(sendMessage, call)];
  expect(again.body.id).toBe(first.body.id);
});
