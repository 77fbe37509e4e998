import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { deleteAccount, getAccountExport, keepAccount, startAccountExport } from '#contracts/account-data.ts';
import { updateCurrentUser } from '#contracts/accounts.ts';
import { createNote } from '#contracts/conversation-notes.ts';
import { receiveSandboxMessage, sendMessage } from '#contracts/messages.ts';
import { connectPhone } from '#contracts/phone-numbers.ts';
import { createProfile } from '#contracts/profiles.ts';
import { addSuppression } from '#contracts/suppressions.ts';
import { deleteDueAccounts } from '#server/modules/outreach/account-data/index.ts';
import { createApiClient } from './support/api-client.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import { makeOneOfEverything } from './support/one-of-everything.ts';
import { startS3StandIn } from './support/s3-stand-in.ts';
import { findTexts } from './support/tables-with.ts';
import { createTestClock } from './support/test-clock.ts';

const dayMs = 86_400_000;
const bucket = { bucket: 'media', region: 'us-east-1', accessKeyId: 'OURS', secretAccessKey: 'our-secret-key' };

/** Each is of the account alone, and stands in another place. */
const planted = {
  owner: 'Ottoline Farquharson',
  contact: 'Peregrine Vane',
  number: '34613300188',
  email: 'peregrine@example.com',
  field: 'a boat called Halimeda',
  text: 'Your cello is tuned',
  answer: 'I come at dusk',
  note: 'Rings twice at the gate',
  suppressed: '34613300189',
};

/** By table, how many rows the account has; tables without its id are counted by no row. */
async function rowsOf({ ctx }: TestApplication, accountId: number): Promise<Record<string, number>> {
  const { rows } = await ctx.pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of rows) {
    const { rows: counted } = await ctx.pool.query<{ n: number }>(
      `select count(*)::int as n from ${name} where account_id = $1`,
      [accountId],
    );
    if (counted[0] && counted[0].n > 0) counts[name] = counted[0].n;
  }
  return counts;
}

async function scene(env: Record<string, string> = {}) {
  const clock = createTestClock();
  const app = await startTestApplication({ clock, env });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const customer = await signUpSubscriber(app.url);
  const { api } = customer;
  const project = await makeProject(customer, 'http://127.0.0.1:9/hook');
  const things = await makeOneOfEverything(app, customer, project);
  const byKey = createApiClient(app.url, { 'x-auth-key': project.auth_key });
  await api.call(updateCurrentUser, { body: { name: planted.owner } });
  await api.call(createProfile, {
    body: {
      phone: planted.number,
      name: planted.contact,
      email: planted.email,
      custom_fields: { likes: planted.field },
    },
  });
  await byKey.call(sendMessage, { body: { to: planted.number, message: planted.text } });
  await api.call(receiveSandboxMessage, {
    params: { phoneId: Number(things['phoneId']) },
    body: { from: planted.number, message: planted.answer },
  });
  await api.call(createNote, {
    params: { conversationId: Number(things['conversationId']) },
    body: { text: planted.note },
  });
  await api.call(addSuppression, { body: { phone: planted.suppressed } });
  const { body: archive } = await api.call(startAccountExport);
  const status = async () => (await api.call(getAccountExport, { params: { exportId: archive.id } })).body.status;
  await expect.poll(status).toBe('completed');
  return { app, clock, customer, api, byKey, phoneId: Number(things['phoneId']) };
}

async function filesIn(app: TestApplication): Promise<string[]> {
  const entries = await readdir(join(app.ctx.config.dataDir, 'media'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function deleteWhole({ app, clock, api }: Awaited<ReturnType<typeof scene>>): Promise<void> {
  await api.call(deleteAccount);
  clock.advance(14 * dayMs);
  await deleteDueAccounts(app.ctx);
}

test('of a deleted account payments alone are left: no other row, no text of it anywhere, no file', async () => {
  const account = await scene();
  const { app, customer } = account;
  const before = await rowsOf(app, customer.id);
  expect(Object.keys(before).length).toBeGreaterThan(50);
  expect([...(await findTexts(app.ctx.pool, Object.values(planted))).keys()].toSorted()).toEqual(
    Object.values(planted).toSorted(),
  );
  // An upload and the archive.
  expect((await filesIn(app)).length).toBeGreaterThan(1);

  await deleteWhole(account);
  // The membership says by ids alone that its founder is none any more.
  expect(await rowsOf(app, customer.id)).toEqual({ payments: before['payments'], memberships: 1 });
  expect([...(await findTexts(app.ctx.pool, [...Object.values(planted), customer.email]))]).toEqual([]);
  expect(await filesIn(app)).toEqual([]);
});

test('its files go from S3-compatible storage, too', async () => {
  const storage = await startS3StandIn(bucket);
  onTestFinished(storage.stop);
  const account = await scene({
    S3_ENDPOINT: storage.endpoint,
    S3_BUCKET: bucket.bucket,
    S3_ACCESS_KEY_ID: bucket.accessKeyId,
    S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
  });
  expect(storage.objects.size).toBeGreaterThan(1);
  await deleteWhole(account);
  expect([...storage.objects.keys()]).toEqual([]);
});

test('taken back within 14 days, it is whole and works as before', async () => {
  const { app, clock, customer, api, byKey, phoneId } = await scene();
  const contents = [
    'account_keys',
    'bulk_runs',
    'campaign_recipients',
    'campaigns',
    'conversation_notes',
    'conversations',
    'events',
    'flows',
    'media_files',
    'messages',
    'passkeys',
    'phones',
    'profiles',
    'project_keys',
    'projects',
    'saved_templates',
    'saved_views',
    'segments',
    'suppressions',
    'topics',
    'webhook_endpoints',
  ];
  const count = async () => {
    const rows = await rowsOf(app, customer.id);
    return Object.fromEntries(contents.map((name) => [name, rows[name] ?? 0]));
  };
  const message = { body: { to: planted.number, message: 'Again' } };
  const before = await count();
  await api.call(deleteAccount);
  expect((await byKey.refuse(sendMessage, message)).status).toBe(401);
  clock.advance(14 * dayMs - 1);
  await deleteDueAccounts(app.ctx);
  await api.call(keepAccount);
  expect(await count()).toEqual(before);
  clock.advance(dayMs);
  await deleteDueAccounts(app.ctx);
  expect(await count()).toEqual(before);
  await api.call(connectPhone, { params: { phoneId } });
  expect((await byKey.call(sendMessage, message)).status).toBe(200);
});
