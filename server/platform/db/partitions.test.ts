import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
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
