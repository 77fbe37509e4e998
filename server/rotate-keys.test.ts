import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { getCurrentUser } from '#contracts/accounts.ts';
import { getProject } from '#contracts/projects.ts';
import { opensStoredSecrets } from '#server/modules/accounts/index.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { rotateKeys } from './rotate-keys.ts';

test('a new key takes over while the old one still opens, and then alone', async () => {
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
  await using before = await startTestApplication({ secretKey: oldKey });
  const { connectionString } = before;
  const customer = await signUpSubscriber(before.url);
  const project = await makeProject(customer);
  const phone = await connectSandboxPhone(customer, project.id);
  const sealed = before.ctx.secrets.seal('credentials', `phone:${phone.id}:credentials`);
  const owner = { account_id: customer.id, phone_id: phone.id };
  await before.ctx.db
    .insertInto('connector_credentials')
    .values({ ...owner, sealed })
    .execute();
  const keys = ['a', 'b'].map((id) => ({
    ...owner,
    type: 'session',
    id,
    sealed: before.ctx.secrets.seal(id, `phone:${phone.id}:key:session:${id}`),
  }));
  await before.ctx.db.insertInto('connector_keys').values(keys).execute();
  await before.ctx.db
    .updateTable('phones')
    .set({ proxy: 'http://p:1', proxy_sealed: before.ctx.secrets.seal('http://u:p@p:1', `phone:${phone.id}:proxy`) })
    .where('id', '=', phone.id)
    .execute();

  const env = { ROLES: 'api', SECRET_KEYS: oldKey.toString('base64') };
  await using both = await startTestApplication({ connectionString, secretKey: newKey, env });
  const seenBy = async (url: string) => {
    const api = createApiClient(url, { authorization: customer.token });
    const { body } = await api.call(getProject, { params: { projectId: project.id } });
    return {
      apiKey: (await api.call(getCurrentUser)).body.user.api_key,
      authKey: body.auth_key,
      secret: body.webhook_secret,
    };
  };
  const shown = { apiKey: customer.apiKey, authKey: project.auth_key, secret: project.webhook_secret };
  expect(await seenBy(both.url)).toEqual(shown);

  expect(await rotateKeys(both.ctx)).toEqual({ accounts: 1, projects: 1, phoneSecrets: 4 });
  expect(await rotateKeys(both.ctx)).toEqual({ accounts: 0, projects: 0, phoneSecrets: 0 });
  await using after = await startTestApplication({ connectionString, secretKey: newKey, env: { ROLES: 'api' } });
  expect(await seenBy(after.url)).toEqual(shown);
  const stored = await after.ctx.db.selectFrom('connector_keys').selectAll().orderBy('id').execute();
  expect(stored.map((row) => after.ctx.secrets.open(row.sealed, `phone:${phone.id}:key:session:${row.id}`))).toEqual([
    'a',
    'b',
  ]);
  expect(await opensStoredSecrets(after.ctx)).toBe(true);
  expect(await opensStoredSecrets(before.ctx)).toBe(false);
});
