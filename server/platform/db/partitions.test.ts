import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { holdLock } from '#tests/support/hold-lock.ts';
import { untilSomebodyWaits } from '#tests/support/until-somebody-waits.ts';
import { dropOldMonths, ensurePartitions } from './partitions.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  for (const month of ['2026-02', '2026-06']) await ensurePartitions(database.db, new Date(`${month}-15T00:00:00Z`));
});

afterAll(() => database.drop());

async function monthsOf(table: string): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    select right(inhrelid::regclass::text, 7) as month from pg_inherits where inhparent = ${table}::regclass order by 1
  `.execute(database.db);
  return rows.map(({ month }) => month);
}

test('webhook records go by months that are wholly older than 90 days, messages stay unless the operator says', async () => {
  const now = new Date('2026-06-15T12:00:00Z');
  const before = await monthsOf('messages');
  expect(before[0]).toBe('2026_01');
  // 90 days before is 17 March, so that March stays as a whole.
  const dropped = await dropOldMonths(database.db, { now, messagesKeptDays: undefined, eventsKeptDays: 395 });
  expect(dropped).toEqual(['webhook_records_2026_01', 'webhook_records_2026_02']);
  expect((await monthsOf('webhook_records'))[0]).toBe('2026_03');
  expect(await monthsOf('messages')).toEqual(before);

  expect(await dropOldMonths(database.db, { now, messagesKeptDays: 30, eventsKeptDays: 395 })).toEqual([
    'messages_2026_01',
    'messages_2026_02',
    'messages_2026_03',
    'messages_2026_04',
  ]);
});

test('acts go by months that are wholly older than 400 days, whatever younger day is asked for', async () => {
  // The database knows the time by itself.
  const { rows } = await sql<{ now: Date }>`
    select now() as now, ensure_month_partitions('audit_events', (now() - interval '25 months')::date, 27)
  `.execute(database.db);
  const now = rows[0]?.now ?? new Date();
  await dropOldMonths(database.db, { now, messagesKeptDays: undefined, eventsKeptDays: 395 });
  const months = await monthsOf('audit_events');
  const oldest = new Date(now.getTime() - 400 * 86_400_000).toISOString().slice(0, 7);
  expect(months[0]).toBe(oldest.replace('-', '_'));
  const { rows: dropped } = await sql`select drop_months_before('audit_events', '2999-01-01') as names`.execute(
    database.db,
  );
  expect(dropped).toEqual([{ names: [] }]);
  expect(await monthsOf('audit_events')).toEqual(months);
});

/** Whether others read messages within a moment. */
async function readsMessages(): Promise<boolean> {
  const reader = await database.pool.connect();
  try {
    await reader.query('begin');
    await reader.query(`set local lock_timeout = '3s'`);
    await reader.query('select from messages limit 1');
    return true;
  } catch {
    return false;
  } finally {
    await reader.query('rollback');
    reader.release();
  }
}

test('a month that cannot be made or dropped while a backup reads its table holds up nobody else, and is tried again', async () => {
  const drop = () =>
    dropOldMonths(database.db, { now: new Date('2026-07-15'), messagesKeptDays: 30, eventsKeptDays: 395 });
  const release = await holdLock(database.pool, 'select from messages limit 1');
  let isOver = false;
  const dropping = drop()
    .catch((error: unknown) => error)
    .finally(() => (isOver = true));
  const reads: boolean[] = [];
  while (!isOver) reads.push(await readsMessages());
  expect(await dropping).toMatchObject({ code: '55P03' });
  const making = ensurePartitions(database.db, new Date('2027-01-15'));
  await untilSomebodyWaits(database.pool);
  reads.push(await readsMessages());
  expect(reads).not.toContain(false);
  await release();
  await making;
  expect(await drop()).toContain('messages_2026_05');
  expect(await monthsOf('messages')).toEqual(expect.arrayContaining(['2026_12', '2027_03']));
});
