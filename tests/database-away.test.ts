import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Problem } from '#contracts/problem.ts';
import type { Project } from '#contracts/projects.ts';
import { retryConflicts } from '#server/platform/db/retry-conflicts.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import { databaseProcesses, superuserConnection } from './support/embedded-processes.ts';
import { startProduct } from './support/product.ts';
import type { Product } from './support/product.ts';

/** The product on its own database, and a customer whose webhooks nobody takes. */
let dataDir: string;
let product: Product;
let project: Project;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dovepost-away-'));
  product = await startProduct({ env: { DATA_DIR: dataDir, LOG_LEVEL: 'info' } });
  const customer = await signUpSubscriber(product.url);
  project = await makeProject(customer, 'http://127.0.0.1:9/nobody');
  await connectSandboxPhone(customer, project.id, { max_daily_messages: 1_000_000 });
});

afterAll(async () => {
  await product.kill().catch(() => undefined);
  for (const pid of await databaseProcesses(dataDir).catch(() => [])) process.kill(pid, 'SIGKILL');
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

type Answer = { status: number; retryAfter: string | null; body: Problem };

/** Sends text after text until the load is ended. A refused text with a key is repeated with it; one without is given up. */
class Load {
  readonly accepted = new Set<string>();
  readonly refusals: Answer[] = [];
  readonly #ending = new AbortController();
  readonly #callers: Promise<void>[];

  constructor(name: string) {
    this.#callers = Array.from({ length: 8 }, (_, caller) => this.#call(`${name} ${caller}`, caller % 2 === 0));
  }

  async #call(name: string, hasKey: boolean): Promise<void> {
    for (let count = 0; !this.#ending.signal.aborted; count += 1) {
      const text = `${name} ${count}`;
      let isAccepted = false;
      do {
        isAccepted = await this.#send(text, hasKey);
      } while (hasKey && !isAccepted);
    }
  }

  async #send(text: string, hasKey: boolean): Promise<boolean> {
    const response = await fetch(`${product.url}/api/send-message`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-auth-key': project.auth_key ?? '',
        prefer: 'respond-async',
        ...(hasKey && { 'idempotency-key': text }),
      },
      body: JSON.stringify({ to: '14155550123', message: text }),
    });
    if (response.ok) {
      this.accepted.add(text);
      await response.body?.cancel();
      return true;
    }
    const body = (await response.json()) as Problem;
    this.refusals.push({ status: response.status, retryAfter: response.headers.get('retry-after'), body });
    await delay(20);
    return false;
  }

  /** Waits until this many more were accepted. */
  async progress(count: number): Promise<void> {
    const enough = this.accepted.size + count;
    await expect.poll(() => this.accepted.size).toBeGreaterThanOrEqual(enough);
  }

  async end(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#callers);
  }
}

async function query<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: await superuserConnection(dataDir) });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

const connections = `select pid from pg_stat_activity
                      where backend_type = 'client backend' and pid <> pg_backend_pid()`;

async function signalDatabase(signal: NodeJS.Signals, which: 'postmaster' | 'all'): Promise<void> {
  const pids = await databaseProcesses(dataDir);
  for (const pid of which === 'all' ? pids : pids.slice(0, 1)) process.kill(pid, signal);
}

const interruptions: [string, () => Promise<unknown>][] = [
  ['its connections are terminated', () => query(`select pg_terminate_backend(pid) from (${connections}) as x`)],
  [
    'a backend is killed',
    async () => {
      const [backend] = await query<{ pid: number }>(`${connections} and application_name = 'dovepost' limit 1`);
      process.kill(backend?.pid ?? 0, 'SIGKILL');
    },
  ],
  ['it is shut down', () => signalDatabase('SIGINT', 'postmaster')],
  ['the postmaster is killed', () => signalDatabase('SIGKILL', 'postmaster')],
  [
    'it hangs for some seconds',
    async () => {
      await signalDatabase('SIGSTOP', 'all');
      await delay(3_000);
      await signalDatabase('SIGCONT', 'all');
    },
  ],
];

async function readiness(): Promise<number> {
  return (await fetch(`${product.url}/readyz`)).status;
}

test.each(interruptions)(
  'when %s, what was accepted is there once and sent once, and every refusal says when to come back',
  async (name, interrupt) => {
    const load = new Load(name);
    await load.progress(50);
    await interrupt();
    await load.progress(100);
    await load.end();

    const unavailable = { status: 503, retryAfter: '5', body: { code: 'database_unavailable' } };
    for (const refusal of load.refusals) {
      expect(refusal).toMatchObject(unavailable);
      expect(refusal.body.request_id).toBeTruthy();
    }
    await expect.poll(() => readiness()).toBe(200);
    await expect
      .poll(() => query('select count(*)::int as count from messages where sent_at is null'))
      .toEqual([{ count: 0 }]);
    const stored = await query<{ body: string; stored: number; told: number }>(
      `select body, count(*)::int as stored,
              sum((select count(*) from webhook_records w
                    where w.account_id = m.account_id and type = 'message.sent'
                      and unpacked_json(payload)::jsonb #>> '{data,id}' = m.id::text))::int as told
         from messages m where body like $1 group by body`,
      [`${name} %`],
    );
    const once = stored.filter((row) => row.stored === 1 && row.told === 1).map((row) => row.body);
    expect(stored.filter((row) => row.stored !== 1 || row.told !== 1)).toEqual([]);
    expect([...load.accepted].filter((text) => !once.includes(text))).toEqual([]);
    const counts = await query(
      `select (select sum(sent)::int from message_counts) as counted, (select count(*)::int from messages) as stored`,
    );
    expect(counts[0]).toMatchObject({ counted: counts[0]?.['stored'] });
    expect(() => process.kill(product.pid, 0)).not.toThrow();
  },
);

test('while the database hangs, callers are refused within seconds and then at once, and served again once it answers', async () => {
  const timed = async () => {
    const startedAt = performance.now();
    const response = await fetch(`${product.url}/api/send-message`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key ?? '', prefer: 'respond-async' },
      body: JSON.stringify({ to: '14155550123', message: 'Hello' }),
    });
    await response.body?.cancel();
    return { status: response.status, seconds: (performance.now() - startedAt) / 1000 };
  };
  await expect.poll(async () => (await timed()).status).toBe(202);
  await signalDatabase('SIGSTOP', 'all');
  try {
    const first = await timed();
    expect(first.status).toBe(503);
    expect(first.seconds).toBeLessThan(10);
    const next = await timed();
    expect(next.status).toBe(503);
    expect(next.seconds).toBeLessThan(1);
  } finally {
    await signalDatabase('SIGCONT', 'all');
  }
  await expect.poll(async () => (await timed()).status).toBe(202);
});

test('while the disk of the database is full the process is not ready', async () => {
  await query(
    `create function refuse_message() returns trigger language plpgsql
       as $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
     create trigger refuse_message before insert on messages for each row execute function refuse_message()`,
  );
  const response = await fetch(`${product.url}/api/send-message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key ?? '' },
    body: JSON.stringify({ to: '14155550123', message: 'Hello' }),
  });
  expect([response.status, ((await response.json()) as Problem).code]).toEqual([503, 'storage_full']);
  const ready = await fetch(`${product.url}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([503, { failing: ['database_disk'] }]);
  await retryConflicts(() => query('drop trigger refuse_message on messages'));
});

test('while the database cannot be started the process is not ready, and stops as ever, leaving nothing behind', async () => {
  await rename(join(dataDir, 'postgres/cluster/global'), join(dataDir, 'postgres/cluster/global-away'));
  await signalDatabase('SIGKILL', 'postmaster');
  await expect.poll(() => readiness()).toBe(503);
  expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
  expect(await product.stop()).toBe(0);
  expect(await databaseProcesses(dataDir)).toEqual([]);
});
