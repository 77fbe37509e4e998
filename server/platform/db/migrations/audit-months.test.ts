import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '#tests/support/database.ts';
import { migrate } from '../migrate.ts';
import { migrations } from './index.ts';

const audited = '0700-audit-months';

type Row = { account_id: number; id: number; created_at: Date; target_name: string };

test('a log that has rows is taken over in its order, month by month, and goes on above them', async () => {
  const database = await createTestDatabase({ isMigrated: false });
  onTestFinished(database.drop);
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < audited));
  await migrate(database.connectionString, { all: before });
  // More of one moment than there are ids of it, over eight months, of two accounts; the first is of before the first id.
  await sql`
    insert into audit_events (account_id, created_at, actor_type, actor_name, action, target_type, target_name, changes)
    select 1 + n % 2, case n when 1 then timestamptz '2025-11-10' else now() - make_interval(months => greatest(0, 8 - n / 2)) end,
           'system', 'Dovepost', 'phone.banned', 'phone', n::text, jsonb_build_object('n', n)
      from generate_series(1, 10000) as n
  `.execute(database.db);
  await migrate(database.connectionString, { all: migrations });

  const { rows } = await sql<Row & { is_of_month: boolean }>`
    select *, right(tableoid::regclass::text, 7) = to_char(created_at at time zone 'UTC', 'YYYY_MM') as is_of_month
      from audit_events order by id
  `.execute(database.db);
  expect(rows.map(({ target_name: name }) => Number(name))).toEqual(rows.map((_, place) => place + 1));
  expect(rows).toHaveLength(10_000);
  const others = rows.filter(({ is_of_month: isOfMonth }) => !isOfMonth);
  expect(others.map(({ target_name: name }) => name)).toEqual(['1']);
  expect(rows[0]?.id).toBeGreaterThan(0);
  expect(rows[41]).toMatchObject({ account_id: 1, changes: { n: 42 } });
  const { rows: added } = await sql<{ id: number }>`
    insert into audit_events (account_id, created_at, actor_type, actor_name, action, target_type, changes)
    values (1, now(), 'system', 'Dovepost', 'phone.banned', 'phone', '{}') returning id
  `.execute(database.db);
  expect(added[0]?.id).toBeGreaterThan(rows.at(-1)?.id ?? Number.POSITIVE_INFINITY);
  const { rows: names } = await sql<{ name: string }>`
    select relname as name from pg_class where relname like 'audit%' and relkind in ('r', 'p', 'I') and not relispartition order by 1
  `.execute(database.db);
  expect(names.map(({ name }) => name)).toEqual([
    'audit_events',
    'audit_events_by_words',
    'audit_events_of_account',
    'audit_events_of_target',
    'audit_events_pkey',
  ]);
});
