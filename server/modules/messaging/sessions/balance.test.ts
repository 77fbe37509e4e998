import { expect, onTestFinished, test } from 'vitest';
import { listPhoneNumbers, withoutRoomWords } from '#contracts/phone-numbers.ts';
import { connectPhone, addPhoneNumber } from '#contracts/phone-numbers.ts';
import { startTestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { createBalanceReader } from './balance.ts';

test('phones are counted after a change; between changes the words of the workers are added up', async () => {
  const app = await startTestApplication();
  onTestFinished(() => app[Symbol.asyncDispose]());
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  for (let made = 0; made < 3; made += 1) await connectSandboxPhone(customer, project.id);
  const { pool } = app.ctx;
  const balance = createBalanceReader(app.ctx, { owner: () => 'me', countHeld: () => 0 });
  await pool.query(
    `insert into phone_workers (owner, seen_at, held, most) values ('me', now() - interval '1 hour', 0, 10)`,
  );
  balance.changed();
  const others = (held: number | null) =>
    pool.query(
      `insert into phone_workers (owner, seen_at, held, most) values ('other', 'infinity', $1, 10)
       on conflict (owner) do update set held = excluded.held`,
      [held],
    );
  const counted = { workers: 2, phones: 3, free: 0 };
  expect(await balance.read()).toEqual(counted);
  // However long what follows takes, the count is not too old.
  await pool.query(`update phone_workers set counted_at = now() + interval '5 minutes' where owner = 'me'`);

  // A statement that reads phones waits for this lock.
  const locker = await pool.connect();
  onTestFinished(async () => {
    await locker.query('rollback');
    locker.release();
  });
  await expect
    .poll(async () => (await pool.query(`select held from phone_workers where owner <> 'me'`)).rows)
    .toEqual([{ held: 3 }]);
  await locker.query('begin');
  await locker.query('lock table phones in access exclusive mode');
  expect(await balance.read()).toEqual(counted);
  // A process counts for all.
  const neighbour = createBalanceReader(app.ctx, { owner: () => 'neighbour', countHeld: () => 0 });
  expect(await neighbour.read()).toEqual(counted);
  await others(2);
  // They hold more than were counted: some have come since.
  expect(await balance.read()).toEqual({ workers: 3, phones: 5, free: 0 });
  // As when the process that holds them has died.
  await pool.query(`update phone_workers set seen_at = now() - interval '1 hour' where owner not in ('other', 'me')`);
  expect((await balance.read()).free).toBeGreaterThanOrEqual(0);
  await locker.query('commit');

  // A process of a release before does not say what it holds.
  await others(null);
  expect(await balance.read()).toMatchObject({ phones: 3, free: 0 });
  balance.changed();
  expect(await balance.read()).toMatchObject({ phones: 3, free: 0 });
});

test('a phone that no worker has room for says so, and connects once there is one', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const secretKey = Buffer.alloc(32, 5);
  const start = async (most: string) => {
    const app = await startTestApplication({
      connectionString: database.applicationConnectionString,
      secretKey,
      env: { MAX_PHONES: most },
    });
    onTestFinished(() => app[Symbol.asyncDispose]());
    return app;
  };
  const first = await start('1');
  const customer = await signUpSubscriber(first.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  const { body: phone } = await customer.api.call(addPhoneNumber, {
    params: { projectId: project.id },
    body: { phone_number: '+14155550177', connector: 'sandbox' },
  });
  await customer.api.call(connectPhone, { params: { phoneId: phone.id } });
  const statusOf = async () => {
    const { body } = await customer.api.call(listPhoneNumbers, { params: { projectId: project.id }, query: {} });
    const found = body.data.find(({ id }) => id === phone.id);
    return [found?.status, found?.status_message];
  };
  await expect.poll(statusOf).toEqual(['created', withoutRoomWords]);
  await start('5');
  await expect.poll(async () => (await statusOf())[0]).toBe('connected');
});
