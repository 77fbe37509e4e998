import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Kysely, QueryExecutorProvider } from 'kysely';
import { isDatabaseBusy } from './errors.ts';
import { takeTurn } from './shared-names.ts';

const partitionedTables = ['messages', 'webhook_records', 'events', 'audit_events'];

/** Webhook records are kept this long; the month that a record is in goes as a whole, once all of it is older. */
const webhookRecordsKeptDays = 90;

/** `drop_months_before` knows no younger age for acts, whatever it is asked. */
const actsKeptDays = 400;

const dayMs = 24 * 60 * 60_000;

/**
 * A month is made and dropped under a lock of its whole table, behind which all other work on the table waits: so long, at
 * the most, where a backup or an export has been reading the table since.
 */
const lockTimeoutMs = 500;
/** For a start; a round of the schedule comes again by itself. */
const attempts = 20;
const betweenAttemptsMs = 1_000;

async function boundLocks(tx: QueryExecutorProvider): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(tx);
}

type Kept = { messagesKeptDays: number | undefined; eventsKeptDays: number };

/**
 * Drops the months of which nothing is kept any more: webhook records after 90 days, acts after 400, messages after the
 * days that the operator says; undefined keeps them for ever. Events go after their own days. Answers what was dropped;
 * rejects where a table is being read for long.
 */
export async function dropOldMonths<Database>(
  db: Kysely<Database>,
  { now, messagesKeptDays, eventsKeptDays }: Kept & { now: Date },
): Promise<string[]> {
  const kept = {
    webhook_records: webhookRecordsKeptDays,
    messages: messagesKeptDays,
    events: eventsKeptDays,
    audit_events: actsKeptDays,
  };
  const dropped: string[] = [];
  for (const [table, days] of Object.entries(kept)) {
    if (days === undefined) continue;
    const before = new Date(now.getTime() - days * dayMs);
    const { rows } = await db.transaction().execute(async (tx) => {
      await boundLocks(tx);
      return sql<{ names: string[] }>`
        select drop_months_before(${table}, (${before}::timestamptz at time zone 'UTC')::date) as names
      `.execute(tx);
    });
    dropped.push(...(rows[0]?.names ?? []));
  }
  return dropped;
}

/** This month and the next two always have their partitions; the month before covers a clock that lags. */
export async function ensurePartitions<Database>(db: Kysely<Database>, now: Date): Promise<void> {
  for (const table of partitionedTables) await retryWhileBusy(() => ensureMonths(db, table, now));
}

async function ensureMonths<Database>(db: Kysely<Database>, table: string, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Processes that start together must not create the same partition twice.
    await takeTurn(tx, 'dovepost partitions');
    await boundLocks(tx);
    await sql`select ensure_month_partitions(${table}, (${now}::timestamptz - interval '1 month')::date, 4)`.execute(
      tx,
    );
  });
}

async function retryWhileBusy(run: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === attempts || !isDatabaseBusy(error)) throw error;
      await delay(betweenAttemptsMs * (0.5 + Math.random()));
    }
  }
}
