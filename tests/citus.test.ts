import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { followCell } from '#server/platform/db/citus/follow-cell.ts';
import type { FollowedCell } from '#server/platform/db/citus/follow-cell.ts';
import { createLogger } from '#server/platform/logger.ts';
import { makeCitusCell } from './citus-cells.ts';
import type { CitusCell } from './citus-cells.ts';
import { signUp } from './support/customer.ts';
import { startProduct } from './support/product.ts';

/** A database of a Citus coordinator with two workers or more, as a superuser, who owns the cell. */
const citusUrl = process.env['CITUS_URL'];

/** A large schema is distributed and moved table by table. */
const slowMs = 600_000;

const anyOf: Readonly<Record<string, unknown>> = {
  text: '',
  bigint: 1,
  integer: 0,
  'double precision': 0,
  boolean: false,
  bytea: Buffer.alloc(1),
  jsonb: '{}',
  date: '2026-01-01',
  'timestamp with time zone': '2026-01-01T00:00:00Z',
  ARRAY: '{}',
};

describe.skipIf(citusUrl === undefined)('a cell on a worker of Citus; CITUS_URL names its coordinator', () => {
  let cell: CitusCell;
  let client: pg.Client;
  let directory: string;

  const rowsOf = async (text: string, values?: unknown[]) =>
    (await client.query<Record<string, unknown>>(text, values)).rows;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'dovepost-citus-'));
    cell = await makeCitusCell(citusUrl ?? '');
    client = new pg.Client({ connectionString: cell.connectionString });
    await client.connect();
    await client.query(`select ensure_month_partitions('messages', now()::date, 2)`);
  }, slowMs);

  afterAll(async () => {
    await client.end();
    await cell.drop();
    await rm(directory, { recursive: true, force: true });
  }, slowMs);

  /** A row of these values; what else has to be there is anything of its type. */
  async function insert(table: string, values: Record<string, unknown>): Promise<void> {
    const needed = await rowsOf(
      `select column_name as name, data_type as type from information_schema.columns
        where table_schema = $1 and table_name = $2 and is_nullable = 'NO' and column_default is null
          and is_identity = 'NO'`,
      [cell.schema, table],
    );
    const rest = needed.map(({ name, type }) => [String(name), anyOf[String(type)]] as const);
    const row = { ...Object.fromEntries(rest), ...values };
    await client.query(
      `insert into ${table} (${Object.keys(row).join(', ')}) overriding system value
       values (${Object.keys(row)
         .map((_, index) => `$${index + 1}`)
         .join(', ')})`,
      Object.values(row),
    );
  }

  const countsOf = async (tables: readonly string[], accountId: number) => {
    const [counts] = await rowsOf(
      `select ${tables.map((table) => `(select count(*)::int from ${table} where account_id = $1) as ${table}`).join(', ')}`,
      [accountId],
    );
    return counts;
  };

  /** Of an account: changes all that has a trigger with transition tables, and looks at what the triggers have kept. */
  async function useTriggers(account: number): Promise<void> {
    const of = { account_id: account };
    await insert('accounts', {
      id: account,
      email: `${account}@example.com`,
      email_key: `${account}`,
      api_key_hash: `${account}`,
    });
    expect(await rowsOf('select user_id from members where account_id = $1', [account])).toHaveLength(1);
    await insert('typed_fields', { ...of, path: 'custom_fields.age', keys: '{age}', type: 'number' });
    await insert('typed_fields', { ...of, path: 'custom_fields.at.city', keys: '{at,city}', type: 'text' });
    const typed = () =>
      rowsOf('select number, text from typed_values where account_id = $1 order by field_id, place', [account]);
    await insert('profiles', {
      ...of,
      id: 1,
      phone: '14155550123',
      custom_fields: '{"age": 3, "at": {"city": "Paris"}}',
    });
    expect(await typed()).toEqual([
      { number: 3, text: null },
      { number: null, text: 'paris' },
    ]);
    await client.query(`update profiles set custom_fields = '{"age": 4}' where account_id = $1`, [account]);
    expect(await typed()).toEqual([{ number: 4, text: null }]);
    await client.query('delete from profiles where account_id = $1', [account]);
    expect(await typed()).toEqual([]);

    await insert('projects', { ...of, id: 1, auth_key_hash: `${account}` });
    await insert('messages', { ...of, project_id: 1, direction: 'outgoing', status: 'sent', body: 'Hello Ada' });
    const texts = () => rowsOf('select body from message_texts where account_id = $1', [account]);
    expect(await texts()).toEqual([{ body: 'hello ada' }]);
    await client.query(`update messages set body = 'Hello Grace' where account_id = $1`, [account]);
    expect(await texts()).toEqual([{ body: 'hello grace' }]);
    await client.query('delete from messages where account_id = $1', [account]);
    expect(await texts()).toEqual([]);

    const owned = { campaigns: ['campaign_tallies'], flows: ['flow_tallies'], bulk_runs: ['bulk_run_tallies'] };
    for (const [table, [tallies = '']] of Object.entries(owned)) {
      await insert(table, { ...of, id: 1, project_id: 1 });
      await insert(tallies, { ...of, [`${table.slice(0, -1)}_id`]: 1 });
    }
    const tallies = Object.values(owned).flat();
    expect(Object.values((await countsOf(tallies, account)) ?? {})).toEqual([1, 1, 1]);
    for (const table of Object.keys(owned)) await client.query(`delete from ${table} where account_id = $1`, [account]);
    expect(Object.values((await countsOf(tallies, account)) ?? {})).toEqual([0, 0, 0]);
  }

  test(
    'the command line works at the node, and refuses to take one account out of a cell',
    async () => {
      const product = await startProduct({ env: settingsOf(cell.schema) });
      const { id } = await signUp(product.url);
      await product.stop();
      const admin = (...words: string[]) => run(cell.schema, 'admin', 'accounts', ...words);
      await admin('suspend', String(id), '--reason', 'Unpaid');
      expect(await rowsOf('select suspension_reason as reason from accounts where id = $1', [id])).toEqual([
        { reason: 'Unpaid' },
      ]);
      await expect(admin('move', String(id), '--to', 'cell_other')).rejects.toThrow('citus_schema_move');
    },
    slowMs,
  );

  test('triggers keep what they keep where the rows are', () => useTriggers(1), slowMs);

  test(
    'a cell that is moved to another worker goes on there with all it has',
    async () => {
      await insert('accounts', { id: 2, email: '2@example.com', email_key: '2', api_key_hash: '2' });
      const before = await cell.place();
      await cell.move();
      expect(await cell.place()).not.toEqual(before);
      expect(await rowsOf('select email from accounts where id = 2')).toEqual([{ email: '2@example.com' }]);
      await useTriggers(3);
    },
    slowMs,
  );

  test(
    'a process begins at the next node once the slowest of its cell has left the last one',
    async () => {
      const follow = async (lookEveryMs: number) => {
        const followed = await followCell({
          connectionString: citusUrl ?? '',
          schema: cell.schema,
          logger: createLogger('silent'),
          lookEveryMs,
        });
        if (!followed) throw new Error('Citus has not been given the cell');
        onTestFinished(followed.stop);
        return followed;
      };
      const [fast, slow] = [await follow(20), await follow(1_500)];
      const order: string[] = [];
      /** Uses a connection until it is cut. */
      const connect = async ({ connectionString }: FollowedCell) => {
        const own = new pg.Client({ connectionString });
        const cut = Promise.withResolvers<void>();
        own.on('error', () => cut.resolve());
        own.on('end', () => cut.resolve());
        await own.connect();
        return { own, cut: cut.promise };
      };
      const ofSlow = await connect(slow);
      const ofFast = await connect(fast);
      void ofSlow.cut.then(() => order.push('the slow one has left'));
      await cell.move();
      await ofFast.cut;
      const again = await connect(fast);
      order.push('the fast one goes on');
      expect(order).toEqual(['the slow one has left', 'the fast one goes on']);
      const { rows } = await again.own.query<{ port: number }>('select inet_server_port() as port');
      expect(rows[0]?.port).toBe((await cell.place()).port);
      await again.own.end();
    },
    slowMs,
  );

  const settingsOf = (schema: string) => ({
    SECRET_KEY: Buffer.alloc(32).toString('base64'),
    DATA_DIR: directory,
    DATABASE_URL: citusUrl ?? '',
    DATABASE_SCHEMA: schema,
  });

  /** As an operator does. */
  const run = (schema: string, program: string, ...words: string[]) =>
    promisify(execFile)(process.execPath, [`server/entry/${program}.ts`, ...words], {
      env: { PATH: process.env['PATH'], ...settingsOf(schema) },
    });

  test(
    'a backup of a cell is restored, and Citus is given what was restored',
    async () => {
      await insert('accounts', { id: 9, email: '9@example.com', email_key: '9', api_key_hash: '9' });
      const restored = `${cell.schema}_restored`;
      onTestFinished(async () => void (await client.query(`drop schema if exists ${restored} cascade`)));
      const backup = join(directory, 'backup');
      await run(cell.schema, 'backup', backup);
      await run(restored, 'restore', backup);
      await run(restored, 'migrate', '--distribute');
      for (const table of ['accounts', 'members', 'users']) {
        const rows = (schema: string) => rowsOf(`select * from ${schema}.${table} order by 1, 2`);
        expect(await rows(restored)).toEqual(await rows(cell.schema));
      }
      expect(await rowsOf(`select email from ${restored}.accounts where id = 9`)).toEqual([{ email: '9@example.com' }]);
      const states = `select distinct tgenabled from pg_trigger t join pg_class c on c.oid = tgrelid
                       where relnamespace = $1::regnamespace and not tgisinternal`;
      expect(await rowsOf(states, [restored])).toEqual([{ tgenabled: 'O' }]);
    },
    slowMs,
  );
});
