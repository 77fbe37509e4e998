import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteDraft, getDraft, listDrafts, saveDraft } from '#contracts/drafts.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import { joinAccount } from '#tests/support/join-account.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const params = { kind: 'campaign', key: 'new' } as const;

test('a draft is begun, changed, listed without its content, and discarded', async () => {
  const { api } = await signUpSubscriber(app.url);
  expect((await api.refuse(getDraft, { params })).status).toBe(404);
  const content = { name: 'Spring', message: 'Hi {name} “\u202e”', media: null, left: [1, 2] };
  const { body: first } = await api.call(saveDraft, { params, body: { content, revision: null } });
  expect((await api.call(getDraft, { params })).body).toEqual(first);
  expect(first.content).toEqual(content);
  const { body: second } = await api.call(saveDraft, {
    params,
    body: { content: { name: 'Spring sale' }, revision: first.revision },
  });
  expect(second.revision).toBeGreaterThan(first.revision);
  const { content: _content, ...kept } = second;
  expect((await api.call(listDrafts, { query: {} })).body.data).toEqual([{ ...kept, name: 'Spring sale' }]);
  expect((await api.call(listDrafts, { query: { kind: 'flow' } })).body.data).toEqual([]);
  await api.call(deleteDraft, { params, query: { revision: second.revision } });
  await api.call(deleteDraft, { params, query: {} });
  expect((await api.call(listDrafts, { query: {} })).body.data).toEqual([]);
});

test('of two tabs the second is answered 409 with the text of the first, and may then choose', async () => {
  const { api } = await signUpSubscriber(app.url);
  const save = (text: string, revision: number | null) => ({ params, body: { content: { message: text }, revision } });
  const { body: begun } = await api.call(saveDraft, save('Hi', null));
  const answers = await Promise.allSettled(
    ['Hi Ada', 'Hi Bob'].map((text) => api.call(saveDraft, save(text, begun.revision))),
  );
  const [winner] = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.body] : []));
  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  const { status, body: problem } = await api.refuse(saveDraft, save('Hi Eve', begun.revision));
  expect([status, problem.code]).toEqual([409, 'draft_changed']);
  expect(problem.draft).toEqual({
    content: winner?.content,
    revision: winner?.revision,
    updated_at: winner?.updated_at,
  });
  expect((await api.refuse(saveDraft, save('Hi', null))).status).toBe(409);
  expect((await api.refuse(deleteDraft, { params, query: { revision: begun.revision } })).status).toBe(409);
  const { body: chosen } = await api.call(saveDraft, save('Hi Eve', problem.draft?.revision ?? 0));
  expect(chosen.content).toEqual({ message: 'Hi Eve' });
});

test('a text over a draft that was discarded elsewhere begins it again, under a revision that never was', async () => {
  const { api } = await signUpSubscriber(app.url);
  const { body: first } = await api.call(saveDraft, { params, body: { content: { name: 'A' }, revision: null } });
  await api.call(deleteDraft, { params, query: {} });
  const { body: again } = await api.call(saveDraft, {
    params,
    body: { content: { name: 'B' }, revision: first.revision },
  });
  expect(again.revision).toBeGreaterThan(first.revision);
});

test('a draft is seen by the person alone, in the account it was typed in', async () => {
  const owner = await signUpSubscriber(app.url);
  const member = await signUpSubscriber(app.url);
  await member.api.call(saveDraft, { params, body: { content: { name: 'At home' }, revision: null } });
  await joinAccount(app, owner, member, 'viewer');
  await owner.api.call(saveDraft, { params, body: { content: { name: 'Mine' }, revision: null } });
  expect((await member.api.call(listDrafts, { query: {} })).body.data).toEqual([]);
  expect((await member.api.refuse(getDraft, { params })).status).toBe(404);
  await member.api.call(saveDraft, { params, body: { content: { name: 'Theirs' }, revision: null } });
  expect((await owner.api.call(getDraft, { params })).body.content).toEqual({ name: 'Mine' });
});

test('a person keeps the 100 latest', async () => {
  const { api } = await signUpSubscriber(app.url);
  const keys = Array.from({ length: 101 }, (_, index) => String(index));
  for (const key of keys) {
    await api.call(saveDraft, { params: { ...params, key }, body: { content: { name: key }, revision: null } });
  }
  const { body } = await api.call(listDrafts, { query: {} });
  expect(body.data.map(({ key }) => key)).toEqual(keys.slice(1).toReversed());
});

test('a draft that is too large or strangely named is refused', async () => {
  const { api } = await signUpSubscriber(app.url);
  const large = await api.refuse(saveDraft, {
    params,
    body: { content: { text: 'x'.repeat(65_600) }, revision: null },
  });
  expect([large.status, large.body.errors?.[0]?.path]).toEqual([422, 'content']);
  const named = { params: { ...params, key: 'a b' }, body: { content: {}, revision: null } };
  expect((await api.refuse(saveDraft, named)).status).toBe(404);
});
