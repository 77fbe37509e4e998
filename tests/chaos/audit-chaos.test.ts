import { afterEach, expect, test } from 'vitest';
import { addPhoneNumber, deletePhoneNumber } from '#contracts/phone-numbers.ts';
import { createSegment, deleteSegment, updateSegment } from '#contracts/segments.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import type { Product } from '#tests/support/product.ts';
import { createRandom } from '#tests/support/random.ts';
import { makeChaosScene, undo } from './chaos-scene.ts';
import type { CleanUp } from './chaos-scene.ts';
import { killOverAndOver } from './kill-over-and-over.ts';

/** `npm run chaos -- audit` is the long way. */
const isLong = process.env['CHAOS_ROUNDS'] !== undefined;
const kills = isLong ? Number(process.env['KILLS'] ?? 100) : 2;
const seed = Number(process.env['SEED'] ?? 20_261_126);
const longestLifeMs = 1_500;
const hands = 4;
const condition = { fieldPath: 'name', operator: 'exists' } as const;

const cleanUp: CleanUp = [];

afterEach(() => undo(cleanUp));

/** Acts without a pause on whatever product there is. Counts what was answered as done; a dying one may have done more. */
function keepActing(urlOf: () => string, { token, projectId }: { token: string; projectId: number }) {
  let isOver = false;
  const answered = { created: 0, changed: 0, deleted: 0, phonesDeleted: 0 };
  async function act(hand: number, turn: number): Promise<void> {
    const api = createApiClient(urlOf(), { authorization: token });
    const { body: segment } = await api.call(createSegment, { body: { name: `${hand} ${turn}`, condition } });
    answered.created += 1;
    const params = { segmentId: segment.id };
    await api.call(updateSegment, { params, body: { name: `${hand} ${turn} changed` } });
    answered.changed += 1;
    if (turn % 3 === 0) {
      await api.call(deleteSegment, { params });
      answered.deleted += 1;
    }
    if (hand > 0) return;
    // Asks the network before it commits.
    const { body: phone } = await api.call(addPhoneNumber, {
      params: { projectId },
      body: { phone_number: `4420${70_100_000 + turn}`, connector: 'sandbox' },
    });
    await api.call(deletePhoneNumber, { params: { phoneId: phone.id } });
    answered.phonesDeleted += 1;
  }
  const work = Promise.all(
    Array.from({ length: hands }, async (_, hand) => {
      for (let turn = 0; !isOver; turn += 1) await act(hand, turn).catch(() => undefined);
    }),
  );
  return {
    answered,
    async end(): Promise<void> {
      isOver = true;
      await work;
    },
  };
}

test(`kill -9 amid acts (KILLS=${kills} SEED=${seed}): each act has its row, and each row its act`, async () => {
  const scene = await makeChaosScene(cleanUp);
  let product = await scene.start();
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  const acting = keepActing(() => product.url, { token: customer.token, projectId: project.id });
  const { pool } = scene.database;
  const count = async (statement: string) => (await pool.query<{ n: number }>(statement)).rows[0]?.n ?? 0;
  const rowsOf = (action: string) => count(`select count(*)::int as n from audit_events where action = '${action}'`);
  const disturbed = await killOverAndOver({
    product,
    async start(): Promise<Product> {
      product = await scene.start();
      return product;
    },
    random: createRandom(seed),
    kills,
    longestLifeMs,
    progress: async () => 0,
  });
  expect(disturbed.killed).toBe(kills);
  const { answered } = acting;
  await expect.poll(() => answered.phonesDeleted, { timeout: 60_000 }).toBeGreaterThan(0);
  await acting.end();

  const made = await rowsOf('segment.created');
  const gone = await rowsOf('segment.deleted');
  const left = await count('select count(*)::int as n from segments');
  const changed = `select count(*)::int as n from audit_events a where action = 'segment.changed'`;
  const isChanged = `select count(*)::int as n from segments where name like '%changed'`;
  expect(made).toBeGreaterThanOrEqual(answered.created);
  expect(made - gone).toBe(left);
  expect(await count(`${changed} and exists (select from segments s where s.id = a.target_id)`)).toBe(
    await count(isChanged),
  );
  const phonesLeft = await count(`select count(*)::int as n from phones where number like '442070%'`);
  const [added, deleted, asked] = [
    await rowsOf('phone.added'),
    await rowsOf('phone.deleted'),
    await rowsOf('phone.delete_requested'),
  ];
  expect(added - deleted).toBe(phonesLeft);
  expect(asked).toBeGreaterThanOrEqual(deleted);
  expect(deleted).toBeGreaterThanOrEqual(answered.phonesDeleted);
  if (isLong) console.log(`${kills} kills, ${made + gone + (await count(changed))} acts`);
}, 3_600_000);
