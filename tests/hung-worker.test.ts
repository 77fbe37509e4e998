import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { sendMessage } from '#contracts/messages.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import { createTestDatabase } from './support/database.ts';
import { startProduct } from './support/product.ts';
import type { Product } from './support/product.ts';

const cleanUp: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

type Worker = Product & { owner: string };

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

async function startWorkers(connectionString: string): Promise<[Worker, Worker, Worker]> {
  const secretKey = randomBytes(32).toString('base64');
  const start = async (): Promise<Worker> => {
    const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-hung-'));
    const product = await startProduct({
      env: { DATA_DIR: dataDir, DATABASE_URL: connectionString, SECRET_KEY: secretKey },
    });
    cleanUp.push(async () => {
      process.kill(product.pid, 'SIGCONT');
      await product.stop();
      await rm(dataDir, { recursive: true, force: true });
    });
    return Object.assign(product, { owner: await readFile(join(dataDir, 'worker-id'), 'utf8') });
  };
  return [await start(), await start(), await start()];
}

/** A sandbox phone of its own account, and the way to send with it. */
async function makePhone(url: string) {
  const customer = await signUpSubscriber(url);
  const project = await makeProject(customer);
  const { id: phoneId } = await connectSandboxPhone(customer, project.id);
  const send = async (via: string, headers: Record<string, string> = {}) => {
    const response = await fetch(via + sendMessage.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key, ...headers },
      body: JSON.stringify({ to: '14155550123', message: 'Hello' }),
    });
    return { status: response.status, body: (await response.json()) as { id: number; status: string } };
  };
  return { customer, phoneId, send };
}

type Phone = Awaited<ReturnType<typeof makePhone>>;

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  cleanUp.push(() => client.end());
  return client;
}

test('a worker that hangs amid a transaction loses its phones within 20 s, and no other phone is touched', async () => {
  const database = await createTestDatabase();
  cleanUp.push(database.drop);
  const { connectionString } = database;
  const workers = await startWorkers(connectionString);
  const db = await connect(connectionString);
  const leaseOf = async ({ phoneId }: Phone) => {
    const { rows } = await db.query<{ owner: string; token: string }>(
      'select owner, token from phone_leases where phone_id = $1',
      [phoneId],
    );
    return rows[0] ?? { owner: '', token: '' };
  };

  // Workers share phones as they start: phones are added until the one that is to hang, and others, have theirs.
  const [hung, healthy] = workers;
  const owned: Phone[] = [];
  const others: Phone[] = [];
  for (let made = 0; made < 30 && (owned.length === 0 || others.length < 2); made += 1) {
    const phone = await makePhone(healthy.url);
    const { owner } = await leaseOf(phone);
    (owner === hung.owner ? owned : others).push(phone);
  }
  const [victim] = owned;
  if (!victim) throw new Error('No phone went to the worker that is to hang');
  await Promise.all([...owned, ...others].map(({ send }) => send(healthy.url)));
  const before = await Promise.all(others.map(leaseOf));
  const lost = await leaseOf(victim);

  // Its settlement has locked the message, and waits for the count, when it is stopped.
  const locker = await connect(connectionString);
  await locker.query('begin');
  await locker.query('select from message_counts where phone_id = $1 for update', [victim.phoneId]);
  const { body: message } = await victim.send(healthy.url, { prefer: 'respond-async' });
  const isWaiting = async () => {
    const { rows } = await db.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query like '%message_counts%'`,
    );
    return rows.length;
  };
  await expect.poll(isWaiting, { interval: 5 }).toBeGreaterThan(0);
  process.kill(hung.pid, 'SIGSTOP');
  const stoppedAt = performance.now();
  await locker.query('rollback');

  const slowest = { sendMs: 0 };
  const isAdopted = async () => {
    for (const { send } of others.slice(0, 2)) {
      const startedAt = performance.now();
      expect((await send(healthy.url)).status).toBe(200);
      slowest.sendMs = Math.max(slowest.sendMs, performance.now() - startedAt);
    }
    const leases = await Promise.all(owned.map(leaseOf));
    return leases.every(({ owner }) => owner !== hung.owner && owner !== '');
  };
  await expect.poll(isAdopted, { interval: 250 }).toBe(true);
  expect(performance.now() - stoppedAt).toBeLessThan(20_000);
  expect(slowest.sendMs).toBeLessThan(3_000);
  expect((await victim.send(healthy.url)).status).toBe(200);
  const statusOf = async (id: number) => {
    const { rows } = await db.query<{ status: string }>('select status from messages where id = $1', [id]);
    return rows[0]?.status;
  };
  await expect.poll(() => statusOf(message.id)).toBe('read');
  expect(await Promise.all(others.map(leaseOf))).toEqual(before);

  // After SIGCONT none of its old leases count, and it is given phones as any worker that joins.
  expect((await leaseOf(victim)).token).not.toBe(lost.token);
  process.kill(hung.pid, 'SIGCONT');
  const heldBy = async ({ url }: Worker) => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(/^dovepost_phones_held (\d+)/m.exec(text)?.[1]);
  };
  const findOwners = async () => {
    const { rows } = await db.query<{ owner: string }>('select owner from phone_leases where expires_at > now()');
    return rows.map((lease) => lease.owner);
  };
  // Each phone is held by one worker, the one whose lease the database has.
  const differences = async () => {
    const held = await Promise.all(workers.map(heldBy));
    const owners = await findOwners();
    const leased = workers.map(({ owner }) => owners.filter((one) => one === owner).length);
    return { difference: held.map((count, index) => count - (leased[index] ?? 0)), phones: sum(leased) };
  };
  const even = { difference: [0, 0, 0], phones: owned.length + others.length };
  await expect.poll(differences).toEqual(even);
  expect((await victim.send(hung.url)).status).toBe(200);
  await expect.poll(async () => (await fetch(`${hung.url}/readyz`)).status).toBe(200);
});
