import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrateDatabase } from '#server/migrate-database.ts';
import { ensurePartitions } from '#server/platform/db/partitions.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { migrations } from './index.ts';

const contract = '0850-contract-message-indexes';
const old = ['messages_sending', 'messages_waiting'];

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase({ isMigrated: false });
});
afterEach(() => database.drop());

const migrateAll = (finishes = false) => migrateDatabase(database.connectionString, { finishes });

/** As the release before left it, as far as its own indexes go. */
async function migrateAsBefore(): Promise<void> {
  const all = Object.fromEntries(Object.entries(migrations).filter(([name]) => name !== contract));
  await migrateDatabase(database.connectionString, { all });
}

async function indexesOfMessages(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
      where indrelid = 'messages'::regclass order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** The columns that any index of messages names, in its columns or in its condition. */
async function indexedColumns(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `select distinct attname as name
       from pg_index i
       join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = i.indexrelid and d.refobjid = i.indrelid
       join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
      where i.indrelid = 'messages'::regclass and d.refobjsubid > 0`,
  );
  return rows.map(({ name }) => name);
}

const asWorker = (epoch: number | null) =>
  database.pool.query(
    `insert into phone_workers (owner, seen_at, epoch) values ('other', now(), $1)
     on conflict (owner) do update set seen_at = now() - interval '1 minute'`,
    [epoch],
  );

test('no index of a new database names what a receipt changes, and a receipt changes its message in place', async () => {
  expect(await migrateAll()).toContain(contract);
  const columns = await indexedColumns();
  expect(columns).toContain('sent_at');
  for (const changing of ['status', 'delivered_at', 'read_at', 'lease_token', 'counted_day', 'edited_at']) {
    expect(columns).not.toContain(changing);
  }

  await ensurePartitions(database.db, new Date());
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    // Without a project.
    await client.query('set local session_replication_role = replica');
    await client.query(
      `insert into messages (account_id, project_id, phone_id, direction, recipient, body, status, network_id, created_at, sent_at)
       values (1, 1, 1, 'outgoing', '14155550123', 'Hello', 'sent', 'A', now(), now())`,
    );
    await client.query(`update messages set status = 'delivered', delivered_at = now()`);
    await client.query(`update messages set status = 'read', read_at = now()`);
    const { rows } = await client.query(
      `select pg_stat_get_xact_tuples_hot_updated(tableoid)::int as in_place from messages`,
    );
    expect(rows).toEqual([{ in_place: 2 }]);
  } finally {
    client.release(true);
  }
});

test('a database that the release before used keeps its indexes until the upgrade is finished, and no worker of it serves', async () => {
  await migrateAsBefore();
  await ensurePartitions(database.db, new Date());
  await asWorker(null);
  expect(await migrateAll()).toEqual([]);
  expect(await indexesOfMessages()).toEqual(expect.arrayContaining([...old, 'messages_unsent']));

  await expect(migrateAll(true)).rejects.toThrow('The process other is of the release before: stop it first');
  expect(await indexesOfMessages()).toEqual(expect.arrayContaining(old));

  await asWorker(null);
  expect(await migrateAll(true)).toEqual([contract]);
  const left = await indexesOfMessages();
  expect(left).toContain('messages_unsent');
  expect(left.filter((name) => old.includes(name))).toEqual([]);
  expect(await indexedColumns()).not.toContain('status');

  await ensurePartitions(database.db, new Date());
  const { rows } = await database.pool.query(
    `select distinct reloptions from pg_class join pg_inherits on inhrelid = oid where inhparent = 'messages'::regclass`,
  );
  expect(rows).toEqual([{ reloptions: ['fillfactor=85'] }]);
});

test('processes of this release are no obstacle', async () => {
  await migrateAsBefore();
  await asWorker(1);
  expect(await migrateAll(true)).toEqual([contract]);
});
