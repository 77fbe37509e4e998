import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { getCurrentUser } from '#contracts/accounts.ts';
import { addPhoneNumber } from '#contracts/phone-numbers.ts';
import { setUpTotp } from '#contracts/two-factor.ts';
import { createProject, getProject, listProjects, rotateWebhookSecret } from '#contracts/projects.ts';
import { createWebhookEndpoint, listWebhookEndpoints, rotateEndpointSecret } from '#contracts/webhook-endpoints.ts';
import type { Context } from '#server/context.ts';
import { opensStoredSecrets } from '#server/modules/identity/accounts/index.ts';
import { createSecretBox } from '#server/platform/secrets.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { asOwner } from '#tests/support/as-owner.ts';
import { connectSandboxPhone, signUpSubscriber } from '#tests/support/customer.ts';
import { rotateKeys } from './rotate-keys.ts';

/** As PostgreSQL spells bytes. */
const idOf = (key: Buffer) => `\\x${createHash('sha256').update(key).digest().subarray(0, 4).toString('hex')}`;

type Sealed = { table: string; column: string };

/** Every column of the schema that is named as the encrypted ones are. */
async function sealedColumns(ctx: Context): Promise<Sealed[]> {
  const { rows } = await sql<Sealed>`
    select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = current_schema() and data_type = 'bytea'
       and (column_name = 'sealed' or column_name like '%\\_sealed')
     order by 1, 2
  `.execute(ctx.db);
  return rows;
}

/** The ids of the keys under which a column's values are. */
async function keysOf(ctx: Context, { table, column }: Sealed): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct encode(substring(${sql.ref(column)} from 2 for 4), 'hex') as key
      from ${sql.table(table)} where ${sql.ref(column)} is not null
  `.execute(ctx.db);
  return rows.map(({ key }) => key);
}

/** A customer with something under every encrypted column. */
async function customerWithSecrets(app: TestApplication) {
  const { ctx } = app;
  const customer = await signUpSubscriber(app.url);
  const once = (url: string) => createApiClient(url, { authorization: customer.token, 'idempotency-key': 'once' });
  const body = { name: 'Shop', webhook_url: 'http://127.0.0.1:9/first' };
  const { body: made } = await once(app.url).call(createProject, { body });
  await customer.api.call(setUpTotp);
  const params = { projectId: made.id };
  const { body: project } = await customer.api.call(rotateWebhookSecret, { params, body: {} });
  const further = { url: 'http://127.0.0.1:9/further', events: ['*'] as ['*'] };
  const { body: endpoint } = await customer.api.call(createWebhookEndpoint, { params, body: further });
  await customer.api.call(rotateEndpointSecret, { params: { ...params, endpointId: endpoint.id }, body: {} });
  const phone = await connectSandboxPhone(customer, project.id);
  const cloud = {
    phone_number_id: '10000001',
    business_account_id: '10000002',
    access_token: 'EAA',
    app_secret: 'secret',
  };
  const official = { phone_number: '+14155550166', connector: 'cloud', cloud } as const;
  await customer.api.call(addPhoneNumber, { params, body: official });
  const owner = { account_id: customer.id, phone_id: phone.id };
  const later = new Date(Date.now() + 86_400_000);
  const waiting = { attempts: 1, next_attempt_at: later, expires_at: later, created_at: new Date() };
  const mail = ctx.secrets.seal('{}', 'mail:waiting');
  await ctx.db
    .insertInto('mails')
    .values({ id: 'waiting', sealed: mail, ...waiting })
    .execute();
  const sealed = ctx.secrets.seal('credentials', `phone:${phone.id}:credentials`);
  await ctx.db
    .insertInto('connector_credentials')
    .values({ ...owner, sealed })
    .execute();
  const keys = ['a', 'b'].map((id) => ({
    ...owner,
    type: 'session',
    id,
    sealed: ctx.secrets.seal(id, `phone:${phone.id}:key:session:${id}`),
  }));
  await ctx.db.insertInto('connector_keys').values(keys).execute();
  await ctx.db
    .updateTable('phones')
    .set({ proxy: 'http://p:1', proxy_sealed: ctx.secrets.seal('http://u:p@p:1', `phone:${phone.id}:proxy`) })
    .where('id', '=', phone.id)
    .execute();
  await ctx.db
    .insertInto('erasure_keys')
    .values({ account_id: customer.id, key_sealed: ctx.secrets.seal('key', `account:${customer.id}:erasure`) })
    .execute();
  await ctx.db
    .insertInto('push_keys')
    .values({ id: 1, public_key: 'key', private_key_sealed: ctx.secrets.seal('key', 'push:private_key') })
    .execute();
  const endpointHash = randomBytes(32);
  const context = `push:${customer.id}:${customer.id}:${endpointHash.toString('hex')}`;
  await ctx.db
    .insertInto('push_subscriptions')
    .values({
      account_id: customer.id,
      user_id: customer.id,
      session_hash: randomBytes(32),
      endpoint_hash: endpointHash,
      sealed: ctx.secrets.seal('{}', context),
      program: null,
      created_at: new Date(),
    })
    .execute();
  const archive = await ctx.db
    .insertInto('account_exports')
    .values({ account_id: customer.id, status: 'completed', with_files: false, created_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.db
    .updateTable('account_exports')
    .set({ token_sealed: ctx.secrets.seal('token', `account_export:${archive.id}`) })
    .where('id', '=', archive.id)
    .execute();
  return {
    customer,
    made,
    project,
    phone,
    repeat: async (url: string) => (await once(url).call(createProject, { body })).body,
  };
}

test('a new key takes over while the old one still opens, and then alone', async () => {
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
  await using before = await startTestApplication({ secretKey: oldKey });
  const { connectionString } = before;
  const { customer, made, project, phone, repeat } = await customerWithSecrets(before);

  const env = { ROLES: 'api', SECRET_KEYS: oldKey.toString('base64') };
  await using both = await startTestApplication({ connectionString, secretKey: newKey, env });
  const seenBy = async (url: string) => {
    const api = createApiClient(url, { authorization: customer.token });
    const { body } = await api.call(getProject, { params: { projectId: project.id } });
    const endpoints = await api.call(listWebhookEndpoints, { params: { projectId: project.id } });
    return {
      endpoints: endpoints.body.data.map(({ secret }) => secret),
      apiKey: (await api.call(getCurrentUser)).body.user.api_key,
      authKey: body.auth_key,
      secret: body.webhook_secret,
    };
  };
  const shown = await seenBy(before.url);
  expect(shown).toMatchObject({
    apiKey: customer.apiKey,
    authKey: project.auth_key,
    secret: project.webhook_secret,
    endpoints: [project.webhook_secret, expect.any(String)],
  });
  expect(await seenBy(both.url)).toEqual(shown);

  const [all, none] = [
    { accounts: 1, projects: 1, endpoints: 1, answers: 1, phoneSecrets: 5, unopened: 0 },
    { accounts: 0, projects: 0, endpoints: 0, answers: 0, phoneSecrets: 0, unopened: 0 },
  ];
  expect(await rotateKeys(both.ctx)).toEqual(all);
  expect(await rotateKeys(both.ctx)).toEqual(none);
  const current = createHash('sha256').update(newKey).digest().subarray(0, 4).toString('hex');
  for (const column of await sealedColumns(both.ctx)) {
    // A column without a value here would show nothing: customerWithSecrets has to know each.
    expect({ ...column, keys: await keysOf(both.ctx, column) }).toEqual({ ...column, keys: [current] });
  }

  await using after = await startTestApplication({ connectionString, secretKey: newKey, env: { ROLES: 'api' } });
  expect(await seenBy(after.url)).toEqual(shown);
  expect(await repeat(after.url)).toMatchObject({ id: made.id, auth_key: made.auth_key });
  const stored = await after.ctx.db.selectFrom('connector_keys').selectAll().orderBy('id').execute();
  expect(stored.map((row) => after.ctx.secrets.open(row.sealed, `phone:${phone.id}:key:session:${row.id}`))).toEqual([
    'a',
    'b',
  ]);
  expect(await opensStoredSecrets(after.ctx)).toBe(true);
  expect(await opensStoredSecrets(before.ctx)).toBe(false);
});

test('a secret that no key opens is left as it is and counted, and all others go to the new key', async () => {
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
  await using before = await startTestApplication({ secretKey: oldKey, env: { ROLES: 'api' } });
  const { connectionString } = before;
  const [broken, other] = [await signUpSubscriber(before.url), await signUpSubscriber(before.url)];
  const damage = { webhook_secret_sealed: createSecretBox(randomBytes(32)).seal('lost', 'nowhere') };
  for (const { api } of [broken, other]) await api.call(createProject, { body: { name: 'Shop' } });
  await before.ctx.db.updateTable('projects').set(damage).where('account_id', '=', broken.id).execute();

  const env = { ROLES: 'api', SECRET_KEYS: oldKey.toString('base64') };
  await using both = await startTestApplication({ connectionString, secretKey: newKey, env });
  expect(await rotateKeys(both.ctx)).toMatchObject({ accounts: 2, unopened: 1 });
  await using after = await startTestApplication({ connectionString, secretKey: newKey, env: { ROLES: 'api' } });
  const seen = await createApiClient(after.url, { authorization: other.token }).call(listProjects, { query: {} });
  expect(seen.body.data).toMatchObject([{ name: 'Shop' }]);
});

test('a rotation that broke off shows at the start without the old key, though the newest account is under the new one', async () => {
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
  await using before = await startTestApplication({ secretKey: oldKey, env: { ROLES: 'api' } });
  const { connectionString } = before;
  const customers = [await signUpSubscriber(before.url), await signUpSubscriber(before.url)];
  await customers[0]?.api.call(createProject, { body: { name: 'Shop' } });
  const env = { ROLES: 'api', SECRET_KEYS: oldKey.toString('base64') };
  await using both = await startTestApplication({ connectionString, secretKey: newKey, env });
  await signUpSubscriber(both.url);
  const opens = async () => {
    await using after = await startTestApplication({ connectionString, secretKey: newKey, env: { ROLES: 'api' } });
    return await opensStoredSecrets(after.ctx);
  };

  // The rotation gets as far as the projects, and to the first account at the most.
  const refuse = (table: string, where: string) =>
    asOwner(before, `alter table ${table} add constraint refused check (${where}) not valid`);
  const allow = (table: string) => asOwner(before, `alter table ${table} drop constraint refused`);
  await refuse('projects', `substring(auth_key_sealed from 2 for 4) <> '${idOf(newKey)}'`);
  await expect(rotateKeys(both.ctx)).rejects.toThrow('refused');
  expect(await opens()).toBe(false);
  await allow('projects');

  await refuse('accounts', `id <> ${customers[1]?.id} or substring(api_key_sealed from 2 for 4) <> '${idOf(newKey)}'`);
  await expect(rotateKeys(both.ctx)).rejects.toThrow('refused');
  expect(await opens()).toBe(false);
  await allow('accounts');

  await rotateKeys(both.ctx);
  expect(await opens()).toBe(true);
});
