import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type pg from 'pg';
import { createPool } from '#server/platform/db/pool.ts';
import { createLogger } from '#server/platform/logger.ts';
import { runWithCallers } from './measure.ts';

/** The same database without the product: what each step costs when it is a plain statement with its own commit. */
export type Baseline = {
  /** Single-row insert commits, per second. */
  inserts(total: number): Promise<number>;
  /** Messages per second through insert, count, claim, sent and delivered, a commit each. */
  messageSteps(total: number): Promise<number>;
  close(): Promise<void>;
};

export async function openBaseline(connectionString: string, callers: number): Promise<Baseline> {
  const pool = createPool({ connectionString, logger: createLogger('silent'), maxConnections: callers });
  await pool.query(`
    drop table if exists bench_messages, bench_phones;
    create table bench_messages (
      id bigint generated always as identity primary key, recipient text not null, body text not null,
      status text not null, network_id text, created_at timestamptz not null default now(),
      sent_at timestamptz, delivered_at timestamptz);
    create table bench_phones (id int primary key, daily_count int not null);
    insert into bench_phones select n, 0 from generate_series(0, ${callers - 1}) n`);
  const insert = () =>
    pool.query<{ id: number }>({
      name: 'bench-insert',
      text: `insert into bench_messages (recipient, body, status) values ($1, $2, 'pending') returning id`,
      values: ['14155550123', 'Hello from the benchmark'],
    });
  return {
    async inserts(total) {
      const { seconds } = await runWithCallers(total, callers, async () => void (await insert()));
      return total / seconds;
    },
    async messageSteps(total) {
      const { seconds } = await runWithCallers(total, callers, async (_index, caller) =>
        oneMessage(pool, insert, caller),
      );
      return total / seconds;
    },
    close: () => pool.end(),
  };
}

/** Each caller counts on a phone of its own, so that no row is waited for. */
async function oneMessage(
  pool: pg.Pool,
  insert: () => Promise<pg.QueryResult<{ id: number }>>,
  caller: number,
): Promise<void> {
  await pool.query('update bench_phones set daily_count = daily_count + 1 where id = $1', [caller]);
  const { rows } = await insert();
  const id = rows[0]?.id;
  await pool.query(`update bench_messages set status = 'sending', network_id = $2 where id = $1`, [id, `N${id}`]);
  await pool.query(`update bench_messages set status = 'sent', sent_at = now() where id = $1`, [id]);
  await pool.query(`update bench_messages set status = 'delivered', delivered_at = now() where id = $1`, [id]);
}

/**
 * A program in a process of its own, which prints `{"url": …}` once it serves and stops when its
 * standard input closes.
 */
export async function startServer(program: URL, args: readonly string[]) {
  const child = spawn(process.execPath, [program.pathname, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  async function stop(): Promise<void> {
    const exited = once(child, 'exit');
    child.stdin.end();
    await exited;
  }
  return { url: (JSON.parse(line) as { url: string }).url, stop, [Symbol.asyncDispose]: stop };
}
