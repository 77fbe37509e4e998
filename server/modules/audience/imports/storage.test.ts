import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Problem } from '#contracts/problem.ts';
import { deleteProfileImport, listProfileImports } from '#contracts/profile-imports.ts';
import { createProfile, listProfiles } from '#contracts/profiles.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication({ env: { UPLOAD_QUOTA_MIB: '2', ROLES: 'api' } });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

/** A file of about this many KiB. */
function csv(kibibytes: number): string {
  const row = `+351912345678,${'x'.repeat(1000)}\n`;
  return `phone,note\n${row.repeat(kibibytes)}`;
}

async function upload(url: string, customer: Customer, file: string): Promise<{ status: number; body: Problem }> {
  const response = await fetch(`${url}/api/profiles/import`, {
    method: 'POST',
    headers: { authorization: customer.token, 'content-type': 'text/csv' },
    body: file,
  });
  return { status: response.status, body: (await response.json()) as Problem };
}

test('an account stores files up to its quota, also side by side, and again once it has deleted some', async () => {
  const customer = await signUpSubscriber(app.url);
  const first = await upload(app.url, customer, csv(1200));
  expect(first.status).toBe(201);
  const refused = await upload(app.url, customer, csv(1200));
  expect(refused).toMatchObject({ status: 413, body: { code: 'storage_quota_reached' } });
  const sideBySide = await Promise.all(Array.from({ length: 8 }, () => upload(app.url, customer, csv(400))));
  expect(sideBySide.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(2);

  const { body } = await customer.api.call(listProfileImports);
  for (const { id } of body.data) await customer.api.call(deleteProfileImport, { params: { importId: id } });
  expect((await upload(app.url, customer, csv(1200))).status).toBe(201);
});

test("another account's files do not count", async () => {
  const [one, other] = await Promise.all([signUpSubscriber(app.url), signUpSubscriber(app.url)]);
  expect((await upload(app.url, one, csv(1800))).status).toBe(201);
  expect((await upload(app.url, other, csv(1800))).status).toBe(201);
});

test('many tiny files count for more than their rows', async () => {
  const customer = await signUpSubscriber(app.url);
  await upload(app.url, customer, csv(1));
  await using client = await connect();
  const { rows } = await client.query('select stored_bytes::int from profile_imports where account_id = $1', [
    customer.id,
  ]);
  expect(rows[0].stored_bytes).toBeGreaterThan(4096);
});

test('while space is low a file is refused, and nothing else is', async () => {
  const { connectionString } = app;
  await using full = await startTestApplication({
    connectionString,
    env: { MIN_FREE_DISK_MIB: '999999999', ROLES: 'api' },
  });
  const customer = await signUpSubscriber(full.url);
  expect(await upload(full.url, customer, csv(1))).toMatchObject({ status: 507, body: { code: 'storage_low' } });
  await customer.api.call(createProfile, { body: { phone: '+351912345678' } });
});

test('a database whose disk is full answers 503 to what writes, reads as before, and goes on once there is room', async () => {
  const customer = await signUpSubscriber(app.url);
  await using client = await connect();
  await client.query(`
    create function refuse_as_full() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
    create trigger full_disk before insert on profiles for each statement execute function refuse_as_full()
  `);
  const body = { phone: '+351912345678' };
  const refusal = await customer.api.refuse(createProfile, { body });
  expect(refusal).toMatchObject({ status: 503, body: { code: 'storage_full' } });
  expect(refusal.headers.get('retry-after')).toBe('5');
  expect((await customer.api.call(listProfiles, { query: {} })).status).toBe(200);
  await client.query('drop trigger full_disk on profiles');
  expect((await customer.api.call(createProfile, { body })).status).toBe(201);
});

async function connect(): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: app.ownerConnectionString });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
