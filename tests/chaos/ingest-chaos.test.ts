import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { trackBatch } from '#contracts/events.ts';
import { putField } from '#contracts/fields.ts';
import { createFlow } from '#contracts/flows.ts';
import { identifyProfile } from '#contracts/identify.ts';
import { createSegment } from '#contracts/segments.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Product } from '#tests/support/product.ts';
import { createRandom } from '#tests/support/random.ts';
import { makeChaosScene, undo } from './chaos-scene.ts';
import type { CleanUp } from './chaos-scene.ts';
import { killOverAndOver } from './kill-over-and-over.ts';

/** `npm run chaos -- ingest` is the long way. */
const isLong = process.env['CHAOS_ROUNDS'] !== undefined;
const kills = isLong ? Number(process.env['KILLS'] ?? 20) : 2;
const people = isLong ? 1_000 : 60;
const eventsEach = 3;
const seed = Number(process.env['SEED'] ?? 20_261_125);
const longestLifeMs = isLong ? 4_000 : 1_500;
const linesPerBatch = isLong ? 50 : 15;
const senders = 3;
const betweenTriesMs = 50;

const cleanUp: CleanUp = [];

afterEach(() => undo(cleanUp));

const phoneOf = (person: number) => `+1415556${String(1_000 + person)}`;

test(`kill -9 amid events (KILLS=${kills} SEED=${seed}): none is lost or counted twice, and nobody misses the flow or the segment`, async () => {
  const scene = await makeChaosScene(cleanUp);
  const random = createRandom(seed);
  let product = await scene.start();
  const customer = await signUpSubscriber(product.url);
  const { id: projectId } = await makeProject(customer);
  await connectSandboxPhone(customer, projectId);
  const expression = { event: 'Bought', times: { op: '>=' as const, n: eventsEach } };
  const flow = await customer.api.call(createFlow, {
    body: { name: 'Thanks', expression, action: { projectId, message: 'Thank you' }, active: true },
  });
  const segment = await customer.api.call(createSegment, { body: { name: 'Buyers', expression } });
  const path = 'custom_fields.visits';
  const apiOf = ({ url }: Product) => createApiClient(url, { authorization: customer.token });
  const lines = Array.from({ length: people * eventsEach }, (_, index) => ({
    phone: phoneOf(index % people),
    event: 'Bought',
    properties: { n: index },
    message_id: `bought-${index}`,
  }));
  const batches = Array.from({ length: Math.ceil(lines.length / linesPerBatch) }, (_, index) =>
    lines.slice(index * linesPerBatch, (index + 1) * linesPerBatch),
  );
  let next = 0;
  let isTyped = false;
  /** A batch that was answered by nobody is sent again: with its ids it is stored once. */
  async function keepTelling(): Promise<void> {
    for (let batch = batches[next++]; batch; batch = batches[next++]) {
      const events = batch;
      await untilAnswered(async () => {
        const { body } = await apiOf(product).call(trackBatch, { body: { events } });
        for (const { status } of body.data) expect(['accepted', 'duplicate']).toContain(status);
      });
      const traits = { visits: random.pick<unknown>([1, '2', 'many', null]) };
      await untilAnswered(() => apiOf(product).call(identifyProfile, { body: { phone: events[0]?.phone, traits } }));
      if (isTyped || next < batches.length / 2) continue;
      isTyped = true;
      await untilAnswered(() => apiOf(product).call(putField, { params: { path }, body: { type: 'number' } }));
    }
  }
  const count = async (query: string) => {
    const { rows } = await scene.database.pool.query<{ count: string | null }>(query);
    return Number(rows[0]?.count ?? 0);
  };
  await expect
    .poll(() => count('select count(*) from audience_watches where is_built'), { timeout: 120_000 })
    .toBeGreaterThan(0);
  const telling = Promise.all(Array.from({ length: senders }, keepTelling));
  const disturbed = await killOverAndOver({
    product,
    async start() {
      product = await scene.start();
      return product;
    },
    random,
    kills,
    longestLifeMs,
    progress: async () => (await count('select count(*) from events')) / lines.length,
  });
  product = disturbed.product;
  expect(disturbed.killed).toBeGreaterThan(0);
  await telling;

  const counts = await Promise.all(
    [
      'select count(*) from events',
      'select count(distinct message_id) from events',
      'select sum(n) as count from event_days',
      'select sum(n) as count from event_hours',
      'select sum(total) as count from event_names',
    ].map(count),
  );
  expect(counts).toEqual(counts.map(() => lines.length));
  expect(await count('select sum(bytes) as count from events')).toBe(
    await count('select bytes as count from event_accounts'),
  );
  // A flow that was at work when its process was killed goes on once its lease has ended.
  await expect
    .poll(() => count("select count(*) from flow_deliveries where status = 'sent'"), {
      timeout: 300_000,
      interval: 250,
    })
    .toBe(people);
  expect(await count('select count(distinct phone) from flow_deliveries')).toBe(people);
  expect(await count(`select count(*) from messages where flow_id = ${flow.body.id}`)).toBe(people);

  // Each has joined the segment once, and nobody is left in the queue.
  await expect.poll(() => count('select count(*) from profile_changes'), { timeout: 120_000 }).toBe(0);
  const moves = `from segment_moves where segment_id = ${segment.body.id}`;
  expect(await count(`select count(*) ${moves}`)).toBe(people);
  expect(await count(`select count(distinct profile_id) ${moves} and state = 'joined'`)).toBe(people);

  await expect
    .poll(() => count('select count(*) from typed_fields where filled_at is not null'), { timeout: 120_000 })
    .toBe(1);
  const typed =
    'select r.* from profiles p, typed_fields f, typed_rows(typed_value_at(p.custom_fields, f.keys), f.type) r';
  const columns = 'place, number, day, text, is_readable';
  expect(
    await count(`select count(*) from (${typed.replace('r.*', `p.id, r.${columns.replaceAll(', ', ', r.')}`)}
                        except all select profile_id, ${columns} from typed_values) as missing`),
  ).toBe(0);
  expect(await count('select count(*) from typed_values')).toBe(
    await count(`select count(*) from (${typed}) as wanted`),
  );
}, 7_200_000);

async function untilAnswered(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isOfKill(error)) throw error;
      await delay(betweenTriesMs);
    }
  }
}

/** The connection broke, nobody listened, or the product was about to begin. */
const isOfKill = (error: unknown) =>
  error instanceof TypeError || (error instanceof Error && /fetch failed|ECONN|socket|503/.test(error.message));
