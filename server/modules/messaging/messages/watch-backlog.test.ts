import { expect, test } from 'vitest';
import { startTestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { createBacklogWatch } from './watch-backlog.ts';

test('a message counts as waiting while nothing but the product holds it back', async () => {
  await using app = await startTestApplication({ env: { ROLES: 'api' } });
  const { pool } = app.ctx;
  const customer = await signUpSubscriber(app.url);
  const { id: projectId } = await makeProject(customer);
  const { id: phoneId } = await connectSandboxPhone(customer, projectId);
  await pool.query(
    `insert into messages (account_id, project_id, phone_id, direction, recipient, body, status, created_at)
     values ($1, $2, $3, 'outgoing', '14155550123', 'x', 'pending', now() - interval '2 hours')`,
    [customer.id, projectId, phoneId],
  );
  await pool.query(
    `insert into phone_health (account_id, phone_id, facts, state_since, is_protected) values ($1, $2, '{}', now(), false)`,
    [customer.id, phoneId],
  );
  const waitsLong = async () => {
    const watch = createBacklogWatch(app.ctx);
    await watch.start();
    await expect.poll(() => watch.health().tasks[0]?.lastSuccessAt).toBeDefined();
    await watch.stop();
    return (watch.health().gauges[0]?.value ?? 0) > 7_000;
  };
  const set = (table: string, values: string) =>
    pool.query(`update ${table} set ${values} where ${table === 'accounts' ? 'id' : 'account_id'} = $1`, [customer.id]);
  const connected = `status = 'connected', wanted = 'online', status_changed_at = now()`;
  await set('phones', connected);
  expect(await waitsLong()).toBe(true);
  const held: [table: string, held: string, free: string][] = [
    ['phones', `status = 'disconnected', status_changed_at = now() - interval '2 hours'`, connected],
    ['phones', `wanted = 'offline'`, connected],
    ['accounts', 'suspended_at = now()', 'suspended_at = null'],
    ['accounts', `access_until = now()`, `access_until = 'infinity'`],
    ['messages', `retry_at = now() + interval '1 hour'`, 'retry_at = null'],
    ['phone_health', `all_stopped_until = now() + interval '1 hour'`, 'all_stopped_until = null'],
  ];
  for (const [table, holding, free] of held) {
    await set(table, holding);
    expect([table, holding, await waitsLong()]).toEqual([table, holding, false]);
    await set(table, free);
    expect([table, free, await waitsLong()]).toEqual([table, free, true]);
  }
  await set('messages', 'is_queued = true');
  expect(await waitsLong()).toBe(true);
  await set('phone_health', 'is_protected = true');
  expect(await waitsLong()).toBe(false);
  await set('messages', 'is_queued = null');
  // All lines may be down at once.
  await set('phones', `status = 'disconnected', status_changed_at = now() - interval '20 minutes'`);
  expect(await waitsLong()).toBe(true);
});
