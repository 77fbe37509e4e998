import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool as HttpPool } from 'undici';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Bench } from './bench.ts';
import { cpuTimeMs } from './cpu-time.ts';
import { alone } from './figures.ts';
import type { Figure } from './figures.ts';
import { runWithCallers } from './measure.ts';

const callers = 8;
const chunk = 250;
const warmUp = 250;
const measured = 2_000;
const text =
  'An order of a hundred characters has left the warehouse today and will be with you the day after. '.padEnd(100, '.');

/** An endpoint that takes every webhook at once. */
async function startReceiver() {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(204).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Bytes by table with its indexes, months together; the write-ahead log's; updates of messages. */
type Sample = { bytes: Map<string, { heap: number; indexes: number }>; wal: number; updates: number; hot: number };

async function sample({ database }: Bench): Promise<Sample> {
  // Each backend hands its counts over within a second of its last transaction.
  await delay(1_500);
  const { rows: tables } = await database.query<{ name: string; heap: string; indexes: string }>(
    `select regexp_replace(relname, '_(y?[0-9]{4}_?m?[0-9]{2})$', '') as name,
            sum(pg_table_size(oid)) as heap, sum(pg_indexes_size(oid)) as indexes
       from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace group by 1`,
  );
  const { rows } = await database.query<{ wal: string; updates: string; hot: string }>(
    `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as wal,
            sum(n_tup_upd) as updates, sum(n_tup_hot_upd) as hot from pg_stat_user_tables where relname ~ '^messages_'`,
  );
  const bytes = new Map(
    tables.map(({ name, heap, indexes }) => [name, { heap: Number(heap), indexes: Number(indexes) }]),
  );
  return { bytes, wal: Number(rows[0]?.wal), updates: Number(rows[0]?.updates), hot: Number(rows[0]?.hot) };
}

async function allRead({ database }: Bench, projectId: number): Promise<void> {
  for (;;) {
    const { rows } = await database.query<{ open: number }>(
      `select (select count(*) from messages where project_id = $1 and read_at is null)
            + (select count(*) from webhook_records where project_id = $1 and status = 'pending') as open`,
      [projectId],
    );
    if (Number(rows[0]?.open) === 0) return;
    await delay(100);
  }
}

/** As the database's own vacuum does with a table of any size, once a fifth of it is dead. */
async function settle(bench: Bench, projectId: number): Promise<void> {
  await allRead(bench, projectId);
  await bench.database.query('vacuum messages, webhook_records, message_texts, conversations, phones');
}

/** Measures how much a message adds to the database, with its receipts, three webhooks and the log of its request. */
export async function benchGrowth(bench: Bench): Promise<Figure[]> {
  await using receiver = await startReceiver();
  await using product = await bench.start({});
  // Whole pages, which the log takes after each checkpoint, are of the time between two and not of a message.
  await bench.database.query('alter system set full_page_writes = off');
  await bench.database.query('select pg_reload_conf()');
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer, receiver.url);
  await connectSandboxPhone(customer, project.id, { max_daily_messages: 1_000_000 });
  await using http = Object.assign(new HttpPool(product.url, { connections: callers }), {
    [Symbol.asyncDispose]: () => http.destroy(),
  });
  const post = (count: number, from: number) =>
    runWithCallers(count, callers, async (index) => {
      const { statusCode, body } = await http.request({
        method: 'POST',
        path: '/api/send-message',
        headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key, prefer: 'respond-async' },
        body: JSON.stringify({ to: String(14_155_551_002 + ((from + index) % 8000)), message: text }),
      });
      await body.dump();
      if (statusCode !== 202) throw new Error(`The product answered ${statusCode}`);
    });
  for (let sent = 0; sent < warmUp; sent += chunk) {
    await post(chunk, sent);
    await settle(bench, project.id);
  }
  const before = await sample(bench);
  const cpuBefore = await cpuTimeMs(product.pid, bench.database);
  for (let sent = 0; sent < measured; sent += chunk) {
    await post(chunk, warmUp + sent);
    await settle(bench, project.id);
  }
  const cpuMs = (await cpuTimeMs(product.pid, bench.database)) - cpuBefore;
  const after = await sample(bench);
  const grown = [...after.bytes].map(([name, { heap, indexes }]) => {
    const earlier = before.bytes.get(name) ?? { heap: 0, indexes: 0 };
    return { name, heap: (heap - earlier.heap) / measured, indexes: (indexes - earlier.indexes) / measured };
  });
  const total = grown.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0);
  const updates = after.updates - before.updates;
  const hot = after.hot - before.hot;
  return [
    alone('growth a message, all tables', `${total.toFixed(0)} B`, '-'),
    ...grown
      .filter(({ heap, indexes }) => heap + indexes > 20)
      .toSorted((a, b) => b.heap + b.indexes - a.heap - a.indexes)
      .map(({ name, heap, indexes }) =>
        alone(`  ${name}`, `${heap.toFixed(0)} B, indexes ${indexes.toFixed(0)} B`, '-'),
      ),
    alone('write-ahead log a message', `${((after.wal - before.wal) / measured).toFixed(0)} B`, '-'),
    alone('updates of a message in place', `${hot} of ${updates}`, '-'),
    alone('processor time a message, product and database', `${(cpuMs / measured).toFixed(2)} ms`, '-'),
  ];
}
