import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Database } from '#server/database.ts';
import { createBalanceReader } from '#server/modules/messaging/sessions/balance.ts';
import { createLeaseKeeper } from '#server/modules/messaging/sessions/lease-keeper.ts';
import { createPool } from '#server/platform/db/pool.ts';
import { createLogger } from '#server/platform/logger.ts';
import { createHealth } from '#server/platform/service.ts';
import { signUpSubscriber, makeProject } from '#tests/support/customer.ts';
import type { Bench } from './bench.ts';
import { cpuTimeMs, processTimeMs } from './cpu-time.ts';
import { alone } from './figures.ts';
import type { Figure } from './figures.ts';

const workers = 100;
const phonesOfWorker = 1_000;
const phones = workers * phonesOfWorker;
/** As a worker polls: it adopts, and looks whether it holds too many. */
const pollMs = 4_000;
/** Longer than the longest of what comes round. */
const measuredMs = Number(process.env['LEASE_SECONDS'] ?? 300) * 1_000;

/** What it costs that 100 workers hold 1,000 phones each and none of them changes: the processor's time, of one core. */
export async function benchLeases(bench: Bench): Promise<Figure[]> {
  await (async () => {
    await using product = await bench.start({});
    const customer = await signUpSubscriber(product.url);
    const project = await makeProject(customer);
    await bench.database.query(
      `insert into phones (account_id, project_id, number, connector, status, status_changed_at, wanted, created_at)
       select $1, $2, 5511900000000 + n, 'sandbox', 'connected', now(), 'online', now() from generate_series(1, ${phones}) n`,
      [customer.id, project.id],
    );
  })();
  const pool = createPool({ connectionString: bench.connectionString, logger: createLogger('silent') });
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  try {
    const lost: number[] = [];
    const { rows: all } = await bench.database.query<{ account_id: number; id: number }>(
      'select account_id, id from phones order by id',
    );
    const owned = Array.from({ length: workers }, (_, index) => ({
      owner: `worker-${index}`,
      phones: all.slice(index * phonesOfWorker, (index + 1) * phonesOfWorker),
    }));
    const kept = [];
    for (const { owner, phones: own } of owned) {
      const keeper = createLeaseKeeper(
        { db },
        {
          owner,
          most: phonesOfWorker,
          health: createHealth({ service: 'phones', logger: createLogger('silent') }),
          onLost: ({ phoneId }) => lost.push(phoneId),
          onRenewedLate: ({ phoneId }) => lost.push(phoneId),
        },
      );
      await keeper.start();
      const { rows } = await bench.database.query<{ token: number }>(
        `insert into phone_leases (account_id, phone_id, owner, token, expires_at)
         select account_id, id, $1, nextval('lease_token_seq'), clock_timestamp() + interval '15 seconds'
           from phones where id = any($2) order by id returning token`,
        [owner, own.map(({ id }) => id)],
      );
      const taken = own.map(({ account_id: accountId, id: phoneId }, index) => {
        return { accountId, phoneId, token: Number(rows[index]?.token), isTakenOver: false };
      });
      await keeper.claim(() => Promise.resolve(taken));
      kept.push({ keeper, balance: createBalanceReader({ db }, { owner, countHeld: keeper.count }) });
    }
    await bench.database.query('vacuum analyze phones, phone_leases, phone_workers');
    const ending = new AbortController();
    const polls = kept.map(async ({ balance }, index) => {
      await delay((pollMs / workers) * index);
      while (!ending.signal.aborted) {
        await balance.read();
        const { free } = await balance.read();
        if (free > 0) lost.push(free);
        await delay(pollMs, undefined, { signal: ending.signal }).catch(() => undefined);
      }
    });
    await delay(pollMs * 2);
    const before = await timesOf(bench.database);
    await delay(measuredMs);
    const after = await timesOf(bench.database);
    const most = process.memoryUsage.rss();
    ending.abort();
    await Promise.all(polls);
    await Promise.all(kept.map(({ keeper }) => keeper.stop()));
    const share = (from: number, to: number) => `${(((to - from) / measuredMs) * 100).toFixed(1)} % of a core`;
    return [
      alone(
        `${phones} phones' leases and balance, ${workers} workers: PostgreSQL`,
        share(before.database, after.database),
        '5 %',
      ),
      alone('the workers themselves, all in one process', share(before.own, after.own), '-'),
      alone('phones lost or thought free meanwhile', String(lost.length), '0'),
      alone('memory', `${Math.round(most / 1024 / 1024)} MiB`, '-'),
    ];
  } finally {
    await db.destroy();
  }
}

async function timesOf(database: pg.Pool): Promise<{ own: number; database: number }> {
  const own = await processTimeMs(process.pid);
  return { own, database: (await cpuTimeMs(process.pid, database)) - own };
}
