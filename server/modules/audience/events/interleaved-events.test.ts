import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { listEventNames, track } from '#contracts/events.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { untilSomebodyWaits } from '#tests/support/until-somebody-waits.ts';

let app: TestApplication;
let owner: Customer;
let profileId: number;

beforeAll(async () => {
  app = await startTestApplication({});
});
beforeAll(async () => {
  owner = await signUpSubscriber(app.url);
  profileId = (await send({ phone: '+14155550123', event: 'Seen' })).body.profile_id;
});
afterAll(() => app[Symbol.asyncDispose]());

const send = (body: z.input<typeof track.body>) => owner.api.call(track, { body });

/** Another process stores events of the account: it holds the row while `call` comes, then does `work` and commits. */
async function besideAnother<T>(call: () => Promise<T>, work: (client: pg.PoolClient) => Promise<unknown>): Promise<T> {
  const { pool } = app.ctx;
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('update event_accounts set names = names where account_id = $1', [owner.id]);
    const called = call();
    await untilSomebodyWaits(pool);
    await work(client);
    await client.query('commit');
    return await called;
  } finally {
    client.release();
  }
}

test('an event whose key another process stores meanwhile is answered as its duplicate', async () => {
  const { body } = await besideAnother(
    () => send({ profile_id: profileId, event: 'Seen', message_id: 'same' }),
    (client) =>
      client.query(
        `insert into event_keys (account_id, message_id, event_id, profile_id, stored_at) values ($1, 'same', 77, $2, now())`,
        [owner.id, profileId],
      ),
  );
  expect(body).toEqual({ id: 77, profile_id: profileId, status: 'duplicate' });
});

test('a name that another process makes meanwhile is made once', async () => {
  const { body } = await besideAnother(
    () => send({ profile_id: profileId, event: 'Ordered' }),
    async (client) => {
      await client.query(
        `insert into event_names (account_id, name, first_at, last_at) values ($1, 'Ordered', now(), now())`,
        [owner.id],
      );
      await client.query('update event_accounts set names = names + 1 where account_id = $1', [owner.id]);
    },
  );
  expect(body.status).toBe('accepted');
  const names = (await owner.api.call(listEventNames, { query: {} })).body;
  expect(names.data.map(({ name, count }) => [name, count])).toContainEqual(['Ordered', 1]);
  expect(names.usage.names).toBe(2);
});

test('a profile that is deleted meanwhile is a 404, and nothing is counted', async () => {
  const { body: other } = await send({ phone: '+14155550124', event: 'Seen' });
  const before = (await owner.api.call(listEventNames, { query: { name: 'Seen' } })).body;
  const refused = await besideAnother(
    () => owner.api.refuse(track, { body: { profile_id: other.profile_id, event: 'Seen' } }),
    (client) => client.query('delete from profiles where account_id = $1 and id = $2', [owner.id, other.profile_id]),
  );
  expect(refused.status).toBe(404);
  const after = (await owner.api.call(listEventNames, { query: { name: 'Seen' } })).body;
  expect(after.data[0]?.count).toBe(before.data[0]?.count);
});

test('room that another process takes up meanwhile counts', async () => {
  const refused = await besideAnother(
    () => owner.api.refuse(track, { body: { profile_id: profileId, event: 'Seen' } }),
    (client) => client.query('update event_accounts set bytes = 1e15 where account_id = $1', [owner.id]),
  );
  expect(refused.body.code).toBe('event_budget_reached');
});
