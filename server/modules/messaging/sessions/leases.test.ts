import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { claimLeases, leaseDurationMs, renewLeases } from '#server/modules/numbers/links/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});
afterAll(() => app[Symbol.asyncDispose]());

async function connectedPhone(): Promise<number> {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  return (await connectSandboxPhone(customer, project.id)).id;
}

async function leaseOf(phoneId: number) {
  const { rows } = await app.ctx.pool.query<{ account_id: number; token: number; expires_at: Date }>(
    'select account_id, token, expires_at from phone_leases where phone_id = $1',
    [phoneId],
  );
  const [row] = rows;
  if (!row) throw new Error('The phone has no lease');
  return { accountId: row.account_id, phoneId, token: row.token, expiresAt: row.expires_at };
}

/** As a process does that hangs amid a transaction which nothing ends. */
async function lockLease(phoneId: number) {
  const locker = await app.ctx.pool.connect();
  await locker.query('begin');
  await locker.query('set local idle_in_transaction_session_timeout = 0');
  await locker.query('select from phone_leases where phone_id = $1 for update', [phoneId]);
  onTestFinished(async () => {
    await locker.query('rollback');
    locker.release();
  });
}

const elsewhere = (phoneIds: number[], expiresAt: 'epoch' | 'infinity' = 'epoch') =>
  app.ctx.pool.query(
    `update phone_leases set owner = 'dead', token = nextval('lease_token_seq'), expires_at = $2
      where phone_id = any($1)`,
    [phoneIds, expiresAt],
  );

test('while the row of one lease is locked the others are renewed, and the locked one is not lost', async () => {
  const [locked, other] = [await leaseOf(await connectedPhone()), await leaseOf(await connectedPhone())];
  await lockLease(locked.phoneId);
  const { renewed, standing } = await renewLeases(app.ctx, [locked, other], leaseDurationMs);
  expect([...renewed]).toEqual([other.phoneId]);
  expect([...standing].toSorted((a, b) => a - b)).toEqual([locked.phoneId, other.phoneId]);
  // The worker's own lease, too.
  const ownEnd = async () => {
    const { rows } = await app.ctx.pool.query<{ expires_at: Date }>('select expires_at from phone_workers');
    return rows[0]?.expires_at.getTime() ?? 0;
  };
  const before = await ownEnd();
  await expect.poll(ownEnd).toBeGreaterThan(before);
});

test('a lapsed lease whose row is locked holds up no claim of another phone', async () => {
  const [locked, other] = [await connectedPhone(), await connectedPhone()];
  await lockLease(locked);
  await elsewhere([other]);
  const before = await leaseOf(other);
  await expect.poll(async () => (await leaseOf(other)).token).toBeGreaterThan(before.token);
});

test('a phone that was left out is not claimed', async () => {
  const phoneId = await connectedPhone();
  await elsewhere([phoneId]);
  const claimed = await claimLeases(app.ctx, { owner: 'test', limit: 100, except: [phoneId] });
  expect(claimed.map((lease) => lease.phoneId)).not.toContain(phoneId);
});

test('a lease that another worker took is neither renewed nor standing', async () => {
  const lease = await leaseOf(await connectedPhone());
  const { renewed, standing } = await renewLeases(app.ctx, [{ ...lease, token: lease.token - 1 }], leaseDurationMs);
  expect([renewed.size, standing.size]).toEqual([0, 0]);
});
