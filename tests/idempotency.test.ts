import { afterAll, beforeAll, expect, test } from 'vitest';
import { regenerateApiKey } from '#contracts/accounts.ts';
import { createCampaign, listCampaigns } from '#contracts/campaigns.ts';
import type { Endpoint } from '#contracts/endpoint.ts';
import { listTrackedEvents, track, trackBatch } from '#contracts/events.ts';
import { createFlow, runFlow } from '#contracts/flows.ts';
import { identifyProfile } from '#contracts/identify.ts';
import { endpoints } from '#contracts/index.ts';
import { addPhoneNumber } from '#contracts/phone-numbers.ts';
import { createProfile, deleteProfile, getProfile } from '#contracts/profiles.ts';
import { createSegment } from '#contracts/segments.ts';
import { importSuppressions } from '#contracts/suppressions.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import type { Customer } from './support/customer.ts';

let app: TestApplication;
let owner: Customer;
let aheadMs = 0;

beforeAll(async () => {
  app = await startTestApplication({ clock: { now: () => new Date(Date.now() + aheadMs) } });
  owner = await signUpSubscriber(app.url);
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

let lastKey = 0;
/** The same caller, whose requests all carry one key that nobody used before. */
function withKey(customer = owner) {
  lastKey += 1;
  return customer.api.as({ 'idempotency-key': `key ${lastKey}` });
}

const condition = { fieldPath: 'name', operator: 'exists' } as const;

async function campaignScene() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const { body: segment } = await customer.api.call(createSegment, { body: { name: 'Named', condition } });
  return { customer, body: { name: 'Hello', project_id: project.id, segment_id: segment.id, message: 'Hi {name}' } };
}

const isReplayed = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed') === 'true';

test('the same key makes one campaign, however many ask at once', async () => {
  const { customer, body } = await campaignScene();
  const api = withKey(customer);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => api.call(createCampaign, { body }).catch((error: unknown) => error)),
  );
  const made = answers.filter((answer) => !(answer instanceof Error));
  expect(made.length).toBeGreaterThan(0);
  for (const refused of answers.filter((answer) => answer instanceof Error)) {
    expect(refused.message).toContain('idempotency_in_progress');
  }
  const again = await api.call(createCampaign, { body });
  expect(isReplayed(again)).toBe(true);
  expect(again.status).toBe(201);
  expect((await customer.api.call(listCampaigns)).body.data.map(({ id }) => id)).toEqual([again.body.id]);
});

test('an answer is the first one, to the letter', async () => {
  const api = withKey();
  const body = { phone: '14155550123', name: 'Ada' };
  const first = await api.call(createProfile, { body });
  const second = await api.call(createProfile, { body });
  expect([isReplayed(first), isReplayed(second)]).toEqual([false, true]);
  expect([second.status, second.body]).toEqual([first.status, first.body]);
});

test('another body, and another endpoint, are a 409', async () => {
  const api = withKey();
  await api.call(createSegment, { body: { name: 'One', condition } });
  const otherBody = await api.refuse(createSegment, { body: { name: 'Two', condition } });
  expect([otherBody.status, otherBody.body.code]).toEqual([409, 'idempotency_conflict']);
  const otherEndpoint = await api.refuse(createProfile, { body: { phone: '14155550177' } });
  expect(otherEndpoint.body.code).toBe('idempotency_conflict');
});

test('a refused request gives its key back', async () => {
  const body = { phone: '14155550188' };
  const { body: holder } = await owner.api.call(createProfile, { body });
  const api = withKey();
  expect((await api.refuse(createProfile, { body })).body.code).toBe('profile_exists');
  await owner.api.call(deleteProfile, { params: { profileId: holder.id } });
  const answer = await api.call(createProfile, { body });
  expect([answer.status, isReplayed(answer)]).toEqual([201, false]);
});

test('a refusal that the database finds out gives its key back, too', async () => {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const call = { params: { projectId: project.id }, body: { phone_number: '14155550100' } };
  await customer.api.call(addPhoneNumber, call);
  const api = withKey(customer);
  for (const _ of [1, 2]) expect((await api.refuse(addPhoneNumber, call)).body.code).toBe('phone_exists');
});

test("another account's key is its own", async () => {
  const other = await signUpSubscriber(app.url);
  const key = { 'idempotency-key': 'shared' };
  const body = { name: 'Mine', condition };
  const mine = await owner.api.as(key).call(createSegment, { body });
  const theirs = await other.api.as(key).call(createSegment, { body });
  expect(isReplayed(theirs)).toBe(false);
  expect(theirs.body.id).not.toBe(mine.body.id);
});

test('after a day the key is free', async () => {
  const api = withKey();
  const body = { name: 'Daily', condition };
  const first = await api.call(createSegment, { body });
  aheadMs = 25 * 60 * 60_000;
  try {
    const second = await api.call(createSegment, { body });
    expect(second.body.id).not.toBe(first.body.id);
  } finally {
    aheadMs = 0;
  }
});

test('work that a process was doing when it died blocks its key for two minutes', async () => {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const { body: flow } = await customer.api.call(createFlow, {
    body: { name: 'Named', conditions: [condition], action: { projectId: project.id, message: 'Hi' }, active: false },
  });
  const call = { params: { flowId: flow.id } };
  const api = withKey(customer);
  const first = await api.call(runFlow, call);
  await app.ctx.db
    .updateTable('idempotent_requests')
    .set({ status: null, answer_sealed: null })
    .where('account_id', '=', customer.id)
    .execute();
  const meanwhile = await api.refuse(runFlow, call);
  expect([meanwhile.status, meanwhile.body.code]).toEqual([409, 'idempotency_in_progress']);
  // The work of a process that lives takes seconds.
  expect(Number(meanwhile.headers.get('retry-after'))).toBeLessThanOrEqual(5);
  aheadMs = 121_000;
  try {
    const later = await api.call(runFlow, call);
    expect([later.status, isReplayed(later)]).toEqual([first.status, false]);
  } finally {
    aheadMs = 0;
  }
});

test('no answer is kept in the clear', async () => {
  const customer = await signUpSubscriber(app.url);
  const api = withKey(customer);
  const { body } = await api.call(regenerateApiKey);
  const rows = await app.ctx.db
    .selectFrom('idempotent_requests')
    .selectAll()
    .where('account_id', '=', customer.id)
    .execute();
  expect(rows).toHaveLength(1);
  expect(Buffer.from(rows[0]?.answer_sealed ?? '').includes(body.api_key)).toBe(false);
  expect((await api.call(regenerateApiKey)).body).toEqual(body);
});

test('a key of 256 characters is a 422', async () => {
  const api = owner.api.as({ 'idempotency-key': 'x'.repeat(256) });
  const refused = await api.refuse(createSegment, { body: { name: 'Long', condition } });
  expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, 'idempotency-key']);
});

test('the same key tells of one event, alone and in a batch', async () => {
  const customer = await signUpSubscriber(app.url);
  const event = { phone: '14155550144', event: 'Order placed', properties: { total: 12 } };
  const alone = withKey(customer);
  const first = await alone.call(track, { body: event });
  const again = await alone.call(track, { body: event });
  expect([again.status, again.body, isReplayed(again)]).toEqual([202, first.body, true]);
  const other = await alone.refuse(track, { body: { ...event, properties: { total: 13 } } });
  expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
  const together = withKey(customer);
  const batch = { body: { events: [event, { event: 'Nobody' }, event] } };
  const lines = await together.call(trackBatch, batch);
  expect((await together.call(trackBatch, batch)).body).toEqual(lines.body);
  const { body } = await customer.api.call(listTrackedEvents, { query: { name: 'Order placed' } });
  expect(body.data.map(({ id }) => id)).toEqual([lines.body.data[2]?.id, lines.body.data[0]?.id, first.body.id]);
});

test('the same key says who a person is once: what came meanwhile stays', async () => {
  const customer = await signUpSubscriber(app.url);
  const named = (name: string) => ({ body: { phone: '14155550145', traits: { name } } });
  const api = withKey(customer);
  const first = await api.call(identifyProfile, named('Ada'));
  const later = await customer.api.call(identifyProfile, named('Ada Lovelace'));
  expect((await api.call(identifyProfile, named('Ada'))).body).toEqual(first.body);
  const params = { profileId: first.body.id };
  expect((await customer.api.call(getProfile, { params })).body.name).toBe(later.body.name);
});

test('the same key with another file of the same length is a 409', async () => {
  const customer = await signUpSubscriber(app.url);
  const headers = { authorization: customer.token, 'content-type': 'text/csv', 'idempotency-key': 'list' };
  const upload = async (number: string) => {
    const response = await fetch(app.url + importSuppressions.path, {
      method: 'POST',
      headers,
      body: `phone\n${number}`,
    });
    const body = (await response.json()) as { code?: string; added?: number };
    return { status: response.status, body, isReplay: isReplayed(response) };
  };
  const first = await upload('14155550146');
  expect(first.status).toBe(200);
  expect(await upload('14155550146')).toEqual({ ...first, isReplay: true });
  expect(await upload('14155550147')).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
  expect(await upload('14155550146')).toEqual({ ...first, isReplay: true });
});

/** Endpoints that create and start nothing, or know a message by its own key. */
const without = new Set([
  '/api/media',
  '/api/auth/register',
  '/api/auth/confirm',
  '/api/auth/login',
  '/api/auth/logout',
  '/api/auth/forgot-password',
  '/api/auth/resend-confirmation',
  '/api/auth/reset-password',
  '/api/auth/sign-out-everywhere',
  '/api/auth/update-email',
  '/api/auth/update-password',
  '/api/subscription/test-approval',
  '/api/subscription/webhook',
  '/api/campaigns/preview',
  '/api/flows/preview',
  '/api/flows/preview-count',
  '/api/bulk-runs/{runId}/preview',
  '/api/segments/preview',
  '/api/segments/preview-count',
  '/api/segments/explain',
  '/api/segments/nearly',
  '/api/team/leave',
  '/api/user/switch-account',
  '/api/user/two-factor/recovery-codes',
  '/api/user/two-factor/totp',
  '/api/user/two-factor/totp/confirm',
  '/api/send-message',
  '/api/phone-numbers/{phoneId}/pairing-code',
  '/api/phone-numbers/{phoneId}/disconnect',
  '/api/phone-numbers/{phoneId}/proxy/test',
  '/api/phone-numbers/{phoneId}/test',
  '/api/projects/{projectId}/disconnect',
  '/api/profiles/imports/{importId}/check',
  '/api/user/passkeys/options',
  '/api/user/passkeys',
  '/api/auth/confirm/passkey-options',
  '/api/auth/confirm/oidc',
  '/api/auth/confirm/oidc/callback',
  '/api/numbers/known',
  // Said twice, they change nothing.
  '/api/account/restore',
  '/api/profiles/{profileId}/erase',
  '/api/notifications/read',
  '/api/notifications/push',
  // A second archive is refused while one is made.
  '/api/account/export',
]);

test('every POST that creates or starts something takes a key', () => {
  const missing = endpoints
    .filter(({ method, callers, idempotency }: Endpoint) => method === 'POST' && callers !== 'anyone' && !idempotency)
    .map(({ path }) => path);
  expect(missing.filter((path) => !without.has(path))).toEqual([]);
});
