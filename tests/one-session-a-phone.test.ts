import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sendMessage } from '#contracts/messages.ts';
import { linkPhone } from './chaos/link-phone.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import { createTestDatabase } from './support/database.ts';
import { startProduct } from './support/product.ts';
import { startRelay } from './support/relay.ts';
import { controlOf } from './whatsapp/control.ts';
import { WhatsAppStandIn } from './whatsapp/stand-in.ts';

const numbers = ['5511900000801', '5511900000802', '5511900000803', '5511900000804'];
/** The lease of a worker, the poll of another, and what a busy machine adds. */
const takenWithinMs = 25_000;

/** Two processes with a connection each to the database that can fail, and linked phones whose sessions WhatsApp counts. */
async function makeScene() {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const whatsApp = await WhatsAppStandIn.listen();
  onTestFinished(() => whatsApp.close());
  const secretKey = randomBytes(32).toString('base64');
  const startWorker = async () => {
    const relay = await startRelay(database.connectionString);
    const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-sessions-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
    const env = { DATA_DIR: dataDir, DATABASE_URL: relay.connectionString, SECRET_KEY: secretKey };
    const start = async () => {
      const product = await startProduct({ env, whatsAppUrl: whatsApp.url, hasShortLeases: true });
      onTestFinished(async () => {
        if (product.hasExited()) return;
        process.kill(product.pid, 'SIGCONT');
        await product.kill();
      });
      return product;
    };
    const worker = { relay, product: await start(), owner: await readFile(join(dataDir, 'worker-id'), 'utf8') };
    return Object.assign(worker, { restart: async () => void (worker.product = await start()) });
  };
  const [one, other] = await Promise.all([startWorker(), startWorker()]);
  const customer = await signUpSubscriber(one.product.url);
  const project = await makeProject(customer);
  for (const number of numbers) await linkPhone(controlOf(whatsApp), customer.api, { projectId: project.id, number });

  const leases = async () =>
    (
      await database.pool.query<{ owner: string; token: number }>(
        'select owner, token from phone_leases order by phone_id',
      )
    ).rows;
  type Held = { url: string };
  const heldBy = async ({ url }: Held) =>
    Number(/^dovepost_phones_held (\d+)/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
  /** How many phones each process holds, in its own words and in the database's; NaN where they differ. */
  const spread = async (...workers: (typeof one)[]) => {
    const rows = await leases();
    return Promise.all(
      workers.map(async ({ owner, product }) => {
        const count = rows.filter((lease) => lease.owner === owner).length;
        return (await heldBy(product)) === count ? count : NaN;
      }),
    );
  };
  const areConnected = () => numbers.every((number) => whatsApp.isConnected(number));
  const expectEven = () =>
    expect.poll(async () => [...(await spread(one, other)), areConnected()]).toEqual([2, 2, true]);
  /** Even, each phone connected, and so it stays over several looks of the workers at their balance. */
  const expectCalm = async () => {
    await expectEven();
    const before = await leases();
    const { logins } = whatsApp.stats();
    const counted = async () =>
      (await database.pool.query('select sum(extract(epoch from expires_at))::float8 as sum from phone_workers'))
        .rows[0].sum;
    const end = (await counted()) + 2 * 4;
    await expect.poll(counted).toBeGreaterThan(end);
    expect(await leases()).toEqual(before);
    expect(whatsApp.stats().logins).toBe(logins);
  };
  /** Each phone sends, by turns. */
  const expectSends = async ({ product }: typeof one) => {
    for (const [index] of numbers.entries()) {
      const response = await fetch(product.url + sendMessage.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key },
        body: JSON.stringify({ to: String(5_511_977_770_000 + index), message: 'Hello' }),
      });
      await response.text();
      expect(response.status).toBe(200);
    }
  };
  return { whatsApp, database, one, other, leases, spread, areConnected, expectEven, expectCalm, expectSends };
}

test('a process that loses the database leaves WhatsApp before another takes its phones, and so do all of them', async () => {
  const { whatsApp, one, other, spread, areConnected, expectEven, expectCalm, expectSends } = await makeScene();
  await expectEven();
  expect(whatsApp.stats().takeovers).toBe(0);

  one.relay.fallSilent();
  const cutAt = performance.now();
  await expect.poll(async () => [...(await spread(other)), areConnected()]).toEqual([4, true]);
  expect(performance.now() - cutAt).toBeLessThan(takenWithinMs);
  await expectSends(other);
  one.relay.recover();
  one.relay.cut();
  await expectEven();
  expect(whatsApp.stats().takeovers).toBe(0);

  for (const { relay } of [one, other]) relay.goAway();
  await expect.poll(() => numbers.some((number) => whatsApp.isConnected(number))).toBe(false);
  for (const { relay } of [one, other]) relay.recover();
  await expectCalm();
  await expectSends(one);
  expect(whatsApp.stats().takeovers).toBe(0);
}, 300_000);

test('phones of a process that is killed or stopped are with another in bounded time, and it takes none back by force', async () => {
  const { whatsApp, database, one, other, leases, spread, areConnected, expectEven, expectCalm, expectSends } =
    await makeScene();
  await expectEven();
  const kept = (await leases()).filter(({ owner }) => owner === other.owner);
  await one.product.kill();
  const killedAt = performance.now();
  await expect.poll(async () => [...(await spread(other)), areConnected()]).toEqual([4, true]);
  expect(performance.now() - killedAt).toBeLessThan(takenWithinMs);
  expect(await leases()).toEqual(expect.arrayContaining(kept));
  await expectSends(other);
  await one.restart();
  await expectEven();
  expect(whatsApp.stats().takeovers).toBe(0);

  process.kill(one.product.pid, 'SIGSTOP');
  const stoppedAt = performance.now();
  await expect.poll(async () => [...(await spread(other)), areConnected()]).toEqual([4, true]);
  expect(performance.now() - stoppedAt).toBeLessThan(takenWithinMs);
  await expectSends(other);
  // Its connections were still open: WhatsApp ended them as the other logged in.
  expect(whatsApp.stats().takeovers).toBe(2);
  const { rows: ended } = await database.pool.query('select owner from phone_workers where expires_at < now()');
  expect(ended).toEqual([{ owner: one.owner }]);
  process.kill(one.product.pid, 'SIGCONT');
  await expectCalm();
  await expectSends(one);
  expect(whatsApp.stats().takeovers).toBe(2);
}, 300_000);
