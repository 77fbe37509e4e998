import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createWebhookEndpoint } from '#contracts/webhook-endpoints.ts';
import { createDovepost, verifyWebhook } from '#sdk/index.ts';
import type { Dovepost } from '#sdk/index.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Product } from '#tests/support/product.ts';
import { createRandom } from '#tests/support/random.ts';
import { makeChaosScene, undo } from './chaos-scene.ts';
import type { CleanUp } from './chaos-scene.ts';
import { killOverAndOver } from './kill-over-and-over.ts';

/** `npm run chaos -- sequence` is the long way. */
const isLong = process.env['CHAOS_ROUNDS'] !== undefined;
const kills = isLong ? Number(process.env['KILLS'] ?? 200) : 1;
const seed = Number(process.env['SEED'] ?? 20_261_122);
const longestLifeMs = 1_500;
const linesPerBatch = 5;
const betweenBatchesMs = 100;

const cleanUp: CleanUp = [];

afterEach(() => undo(cleanUp));

type Told = { sequence: number; id: string; what: string };

/** Records the event of each sequence. Throws where one of them names two events, or one event has two. */
function createLedger() {
  const bySequence = new Map<number, Told>();
  const sequenceOf = new Map<string, number>();
  return {
    bySequence,
    note({ sequence, id, what }: Told): void {
      const known = bySequence.get(sequence);
      if (known && (known.id !== id || known.what !== what))
        throw new Error(`${sequence} is ${known.id}, ${known.what}, and ${id}, ${what}`);
      if ((sequenceOf.get(id) ?? sequence) !== sequence || (sequenceOf.get(what) ?? sequence) !== sequence)
        throw new Error(`${id}, ${what} is ${sequence} and ${sequenceOf.get(what) ?? sequenceOf.get(id)}`);
      bySequence.set(sequence, { sequence, id, what });
      sequenceOf.set(id, sequence).set(what, sequence);
    },
  };
}
type Ledger = ReturnType<typeof createLedger>;

/** Identifies events that must happen once: a message is not sent twice. */
const whatOf = (type: string, data: object): string =>
  type.startsWith('message.') && 'id' in data ? `${type} ${String(data.id)}` : '';

/** Takes whatever is genuine; two of its paths are two endpoints. */
async function startReceiver(ledgers: Readonly<Record<string, Ledger>>, secrets: Record<string, string>) {
  const faults: unknown[] = [];
  async function receive({ url = '', headers }: IncomingMessage, body: string): Promise<void> {
    const event = await verifyWebhook({ body, headers, secret: secrets[url] ?? '' });
    const id = String(headers['webhook-id']);
    const what = whatOf(event.type, event.data ?? {}) || id;
    ledgers[url]?.note({ sequence: event.sequence ?? 0, id, what });
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      receive(request, Buffer.concat(chunks).toString()).then(
        () => response.writeHead(204).end(),
        (error: unknown) => {
          faults.push(error);
          response.writeHead(500).end();
        },
      );
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  cleanUp.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { faults, url: (path: string) => `http://127.0.0.1:${port}${path}` };
}

/** Reads on from the last event that it has, as an integrator would: what comes next is next. */
function createTail() {
  const ledger = createLedger();
  let after = 0;
  return {
    ledger,
    last: () => after,
    async read(client: Dovepost): Promise<void> {
      for await (const event of client.events.list({ after_sequence: after })) {
        expect(event.sequence, 'a gap in what was read').toBe(after + 1);
        const what = whatOf(event.type, event.data ?? {}) || event.event_id;
        ledger.note({ sequence: event.sequence, id: event.event_id, what });
        after = event.sequence;
      }
    },
  };
}

/** Sends without a pause to whatever product there is; what a dying one refuses is not sent again. */
function keepSending(clientOf: () => Dovepost) {
  let isOver = false;
  let batches = 0;
  const work = (async () => {
    while (!isOver) {
      const lines = Array.from({ length: linesPerBatch }, (_, line) => ({
        to: `1415555${1_010 + ((batches * linesPerBatch + line) % 8_000)}`,
        message: `Line ${line} of ${batches}`,
      }));
      batches += 1;
      await clientOf()
        .messages.sendBatch(lines)
        .catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, betweenBatchesMs));
    }
  })();
  return {
    async end(): Promise<void> {
      isOver = true;
      await work;
    },
  };
}

test(`kill -9 amid events (KILLS=${kills} SEED=${seed}): the sequence has no gap, and no event comes under two`, async () => {
  const scene = await makeChaosScene(cleanUp);
  let product = await scene.start();
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id, { max_daily_messages: 1_000_000 });
  const ledgers = { '/all': createLedger(), '/read': createLedger() };
  const secrets: Record<string, string> = {};
  const receiver = await startReceiver(ledgers, secrets);
  for (const [path, events] of [
    ['/all', ['*']],
    ['/read', ['message.read']],
  ] as const) {
    const body = { url: receiver.url(path), events: [...events] };
    const made = await customer.api.call(createWebhookEndpoint, { params: { projectId: project.id }, body });
    secrets[path] = made.body.secret ?? '';
  }
  const clientOf = ({ url: baseUrl }: Product) =>
    createDovepost({
      baseUrl,
      authKey: project.auth_key,
      apiKey: customer.apiKey,
      projectId: project.id,
      maxRetries: 0,
      timeoutMs: 5_000,
    });
  const tail = createTail();
  const sender = keepSending(() => clientOf(product));
  const disturbed = await killOverAndOver({
    product,
    async start() {
      product = await scene.start();
      return product;
    },
    random: createRandom(seed),
    kills,
    longestLifeMs,
    async progress(living) {
      await tail.read(clientOf(living));
      return 0;
    },
  });
  expect(disturbed.killed).toBe(kills);
  await sender.end();

  const client = clientOf(product);
  const countPending = async () => {
    const { rows } = await scene.database.pool.query<{ count: string }>(
      "select count(*) from messages where status = 'pending'",
    );
    return Number(rows[0]?.count);
  };
  await expect.poll(countPending, { timeout: 120_000, interval: 250 }).toBe(0);
  await tail.read(client);
  const all = ledgers['/all'].bySequence;
  const missing = async () => {
    await tail.read(client);
    return Array.from({ length: tail.last() }, (_, index) => index + 1).filter((sequence) => !all.has(sequence));
  };
  // Messages under way at the kill are delivered again once their claims have expired, which takes a minute.
  if (isLong) await expect.poll(missing, { timeout: 300_000, interval: 500 }).toEqual([]);
  expect(receiver.faults).toEqual([]);
  expect(tail.last()).toBeGreaterThan(kills * linesPerBatch);
  for (const { bySequence } of Object.values(ledgers)) {
    expect(bySequence.size).toBeGreaterThan(0);
    for (const told of bySequence.values()) expect(told).toEqual(tail.ledger.bySequence.get(told.sequence));
  }
  if (isLong) console.log(`${kills} kills, ${tail.last()} events`);
}, 7_200_000);
