import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProfile, exportProfiles, listProfiles } from '#contracts/profiles.ts';
import { previewSegment } from '#contracts/segments.ts';
import { replicaFindings } from '#server/admin/replica-findings.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { signUpSubscriber } from './support/customer.ts';
import type { Customer } from './support/customer.ts';
import { startReplicated } from './support/standby.ts';
import type { Replicated } from './support/standby.ts';

let replicated: Replicated;
let app: TestApplication;
let other: TestApplication;
let customer: Customer;

beforeAll(async () => {
  replicated = await startReplicated();
  const { connectionString, standbyConnectionString } = replicated;
  const env = { DATABASE_URL: connectionString, DATABASE_READ_URL: standbyConnectionString };
  const secretKey = Buffer.alloc(32, 7);
  const options = { connectionString, secretKey, env: { ...env, SECRET_KEY: secretKey.toString('base64') } };
  app = await startTestApplication(options);
  other = await startTestApplication({ ...options, env: { ...options.env, ROLES: 'api' } });
  customer = await signUpSubscriber(app.url);
});

afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
  await replicated.stop();
});

let made = 0;
const newProfile = () => ({ phone: `1415555${7000 + (made += 1)}`, name: `Person ${made}` });

/** How many reads were answered from where, since the start. */
async function readsOf(ofApp = app): Promise<Record<string, number>> {
  const text = await (await fetch(`${ofApp.url}/metrics`)).text();
  return Object.fromEntries(
    Array.from(text.matchAll(/^dovepost_replica_reads\{standby="(\w+)"\} (\d+)$/gm), ([, why = '', count]) => [
      why,
      Number(count),
    ]),
  );
}

/** The names that another process lists, as a program with the same key. */
async function namesAt(url: string): Promise<string[]> {
  const response = await fetch(`${url}${listProfiles.path}?pageSize=100`, {
    headers: { authorization: customer.token },
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: { name: string }[] }).data.map(({ name }) => name);
}

/** Asks until some reads went where they should, which the process notices within a few seconds. */
const untilReadsAre = (why: 'current' | 'late' | 'away', ofApp = app) =>
  expect
    .poll(async () => {
      const before = (await readsOf(ofApp))[why] ?? 0;
      await namesAt(ofApp.url);
      return ((await readsOf(ofApp))[why] ?? 0) - before;
    })
    .toBe(1);

test('lists, counts and exports come from the standby, which has what any process wrote just before', async () => {
  for (let round = 0; round < 10; round += 1) {
    const profile = newProfile();
    await customer.api.call(createProfile, { body: profile });
    for (const { url } of [app, other]) expect(await namesAt(url)).toContain(profile.name);
  }
  expect((await readsOf(other))['current']).toBeGreaterThan(0);
  const before = (await readsOf())['current'] ?? 0;
  const { body } = await customer.api.call(previewSegment, {
    body: { expression: { field: 'name', op: 'exists' } },
  });
  expect(body.count).toBe(made);
  const csv = await fetch(`${app.url}${exportProfiles.path}`, { headers: { authorization: customer.token } });
  expect((await csv.text()).trim().split('\n')).toHaveLength(made + 1);
  expect((await readsOf())['current']).toBeGreaterThanOrEqual(before + 2);
});

test('a standby that stands still is asked nothing that it lacks, and is used again once it has caught up', async () => {
  await untilReadsAre('current');
  await replicated.pause();
  const profile = newProfile();
  await customer.api.call(createProfile, { body: profile });
  for (const { url } of [app, other]) expect(await namesAt(url)).toContain(profile.name);
  await untilReadsAre('late');
  expect(await (await fetch(`${app.url}/metrics`)).text()).toMatch(/^dovepost_replica_behind_bytes [1-9]/m);
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
  expect(await doctor()).toMatchObject([{ check: 'read replica', state: 'warning' }]);
  await replicated.resume();
  await untilReadsAre('current');
  expect(await doctor()).toMatchObject([{ check: 'read replica', state: 'ok' }]);
});

test('a standby that is killed costs no answer, and is used again once it is back', async () => {
  await untilReadsAre('current');
  const asking = Array.from({ length: 6 }, async () => {
    for (let round = 0; round < 10; round += 1) expect(await namesAt(app.url)).toHaveLength(made);
  });
  replicated.killStandby();
  await Promise.all(asking);
  await untilReadsAre('away');
  expect(await (await fetch(`${app.url}/metrics`)).text()).toContain('dovepost_replica_up 0');
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
  expect(await doctor()).toMatchObject([{ check: 'read replica', state: 'warning' }]);
  const profile = newProfile();
  await customer.api.call(createProfile, { body: profile });
  expect(await namesAt(app.url)).toContain(profile.name);
  await replicated.startStandby();
  await untilReadsAre('current');
  expect(await namesAt(app.url)).toContain(profile.name);
});

const doctor = () => replicaFindings(app.ctx.config);
