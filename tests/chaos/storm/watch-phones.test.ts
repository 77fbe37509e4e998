import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createPool } from '#server/platform/db/pool.ts';
import { createLogger } from '#server/platform/logger.ts';
import { startTestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { untilSomebodyWaits } from '#tests/support/until-somebody-waits.ts';
import { layPhoneWatch, watchPhones } from './watch-phones.ts';

test('a claim that began before its phone was given back is no fault, and one that began after it is', async () => {
  await using application = await startTestApplication();
  const pool = createPool({ connectionString: application.ownerConnectionString, logger: createLogger('silent') });
  onTestFinished(() => pool.end());
  const customer = await signUpSubscriber(application.url);
  const { id: projectId } = await makeProject(customer);
  const { id: phoneId } = await connectSandboxPhone(customer, projectId);
  const leases = () => pool.query<{ token: number }>('select token from phone_leases where phone_id = $1', [phoneId]);
  await expect.poll(async () => (await leases()).rowCount).toBe(1);
  const token = (await leases()).rows[0]?.token;
  await layPhoneWatch((text) => pool.query(text));
  const watch = watchPhones({
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await pool.query<Row>(text, values)).rows,
  });
  await pool.query(
    `insert into messages (account_id, project_id, phone_id, direction, recipient, body, status, created_at, retry_at)
     select $1, $2, $3, 'outgoing', '14155550101', 'Hello', 'pending', now(), now() + interval '1 day' from generate_series(1, 2)`,
    [customer.id, projectId, phoneId],
  );
  /** Claims the first that waits, once the advisory lock is free. */
  const claim = () =>
    pool.query(
      `with free as materialized (select pg_advisory_xact_lock(1))
       update messages set status = 'sending', lease_token = $1
         from free where id = (select min(id) from messages where status = 'pending')`,
      [token],
    );

  const [releasing, holding] = [await pool.connect(), await pool.connect()];
  await releasing.query('begin');
  await releasing.query('delete from phone_leases where phone_id = $1', [phoneId]);
  await holding.query('begin');
  await holding.query('select pg_advisory_xact_lock(1)');
  const early = claim();
  await untilSomebodyWaits(pool);
  await releasing.query('commit');
  await holding.query('commit');
  expect((await early).rowCount).toBe(1);
  for (const client of [releasing, holding]) client.release();
  expect(await watch.faults()).toEqual([]);

  expect((await claim()).rowCount).toBe(1);
  expect(await watch.faults()).toEqual([expect.stringContaining(`was sent by phone ${phoneId} without its lease`)]);
});
