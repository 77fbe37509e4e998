import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Database } from '#server/database.ts';
import { migrateDatabase } from '#server/migrate-database.ts';
import {
  beginWorker,
  findBalance,
  findWorkers,
  leaseDurationMs,
  renewLeases,
  renewWorker,
} from '#server/modules/numbers/links/index.ts';
import type { Lease } from '#server/modules/numbers/links/index.ts';
import type { Bench } from './bench.ts';
import { cpuTimeMs, processTimeMs } from './cpu-time.ts';
import { alone } from './figures.ts';
import type { Figure } from './figures.ts';

const workers = 100;
const phonesOfWorker = 1_000;
const phones = workers * phonesOfWorker;
/** A worker renews its lease five times while it lasts, looks at the balance twice a poll, and moves the times on. */
const renewalsInMinute = 60_000 / (leaseDurationMs / 5);
const looksInMinute = (60_000 / 4_000) * 2;
/** As the keeper of leases has them. */
const [assignedForMs, prolongedBelowMs] = [15 * 60_000, 5 * 60_000];
const prolongedInMinute = 60_000 / (assignedForMs - prolongedBelowMs);

/**
 * The cost of 100 workers that hold 1,000 phones each while nothing changes: all that they ask of the database in a
 * minute, as fast as it goes, as a share of a core.
 */
export async function benchLeases(bench: Bench): Promise<Figure[]> {
  await migrateDatabase(bench.connectionString);
  const { database } = bench;
  await database.query(
    `insert into accounts (name, email, email_key, password_hash, api_key_hash, api_key_sealed)
     values ('A', 'a@example.com', 'a@example.com', '', '', '')`,
  );
  await database.query(
    `insert into projects (account_id, name, auth_key_hash, auth_key_sealed, webhook_secret_sealed, created_at)
     select id, 'A', '', '', '', now() from accounts`,
  );
  await database.query(
    `insert into phones (account_id, project_id, number, connector, status, status_changed_at, wanted, created_at)
     select account_id, id, 5511900000000 + n, 'sandbox', 'connected', now(), 'online', now()
       from projects, generate_series(1, ${phones}) n`,
  );
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: database }) });
  const ctx = { db };
  const held: { owner: string; epoch: number; leases: Lease[] }[] = [];
  for (let index = 0; index < workers; index += 1) {
    const owner = `worker-${index}`;
    const epoch = await beginWorker(ctx, { owner, most: phonesOfWorker });
    if (epoch === undefined) throw new Error('A worker did not begin');
    const { rows } = await database.query<{ account_id: number; phone_id: number; token: number }>(
      `insert into phone_leases (account_id, phone_id, owner, token, expires_at)
       select account_id, id, $1, nextval('lease_token_seq'), now() + interval '5 minutes'
         from phones order by id limit $2 offset $3 returning account_id, phone_id, token`,
      [owner, phonesOfWorker, index * phonesOfWorker],
    );
    held.push({
      owner,
      epoch,
      leases: rows.map((row) => ({ accountId: row.account_id, phoneId: row.phone_id, token: row.token })),
    });
  }
  await database.query('vacuum analyze phones, phone_leases, phone_workers');
  const figures: Figure[] = [];
  const before = await timesOf(database);
  for (let renewal = 0; renewal < renewalsInMinute; renewal += 1) {
    // On a busy machine a round takes longer than a lease.
    await database.query(`update phone_workers set expires_at = 'infinity'`);
    for (const { owner, epoch, leases } of held) {
      const beat = await renewWorker(ctx, { owner, epoch, held: leases.length, most: leases.length, isRetired: false });
      if (!beat.stands || beat.phones !== leases.length) throw new Error('A worker lost what it holds');
    }
  }
  const renewed = await timesOf(database);
  for (const { leases } of held.slice(0, workers * prolongedInMinute)) await renewLeases(ctx, leases, assignedForMs);
  const prolonged = await timesOf(database);
  await database.query(`update phone_workers set expires_at = 'infinity', seen_at = 'infinity'`);
  for (let look = 0; look < looksInMinute; look += 1) for (const { owner } of held) await findWorkers(ctx, owner);
  const { free } = await findBalance(ctx, 'worker-0');
  if (free > 0) throw new Error(`${free} phones are thought free`);
  const after = await timesOf(database);
  const share = (from: number, to: number) => `${((to - from) / 600).toFixed(2)} % of a core`;
  const line = (what: string, from: Times, to: Times, atLeast = '-') =>
    alone(what, share(from.database, to.database), atLeast, `${share(from.own, to.own)} in the workers`);
  figures.push(
    line('100,000 phones held by 100 workers: their leases', before, renewed),
    line('times beside the phones, for the release before', renewed, prolonged),
    line('balance, with one count of all', prolonged, after),
    line('all of it', before, after, '5 % at the most'),
  );
  return figures;
}

type Times = { own: number; database: number };

async function timesOf(database: pg.Pool): Promise<Times> {
  const own = await processTimeMs(process.pid);
  return { own, database: (await cpuTimeMs(process.pid, database)) - own };
}
