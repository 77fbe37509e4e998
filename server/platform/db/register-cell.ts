import type pg from 'pg';
import { withServerLock } from './server-lock.ts';
import { defaultSchema } from './shared-names.ts';

/** Ids of a cell begin with its number: 12 digits are left, and all stay exact numbers in JSON up to cell 9000. */
const idsPerCell = 1_000_000_000_000;

/** A sequence in the schema whose next number another cell may have given out already. */
const behindSql = `
  select quote_ident(schemaname) || '.' || quote_ident(sequencename) as name from pg_sequences
   where schemaname = $1 and data_type = 'bigint'::regtype and not cycle and coalesce(last_value, 0) < $2`;

/**
 * Gives a cell its number when it is made, and the sequences of its ids their place: an account that is moved keeps its
 * ids, so no two cells of a database may make the same. `connectionString` is the owner's, without a schema.
 */
export async function registerCell(connectionString: string, schema: string): Promise<void> {
  await withServerLock(connectionString, 'dovepost schemas', async (client) => {
    const { rowCount } = await client.query('select from public.cells where name = $1', [schema]);
    if (rowCount !== 0) return;
    const number = schema === defaultSchema ? 0 : await nextNumber(client, schema);
    await client.query('begin');
    const first = number * idsPerCell + 1;
    const { rows } = await client.query<{ name: string }>(behindSql, [schema, first]);
    if (number > 0) for (const { name } of rows) await client.query('select setval($1, $2, false)', [name, first]);
    await client.query('insert into public.cells (name, number) values ($1, $2)', [schema, number]);
    await client.query('commit');
  });
}

/** Higher than those of all others, and than what a backup has brought. */
async function nextNumber(client: pg.Client, schema: string): Promise<number> {
  const { rows } = await client.query<{ number: number }>(
    `select greatest((select coalesce(max(number), 0) + 1 from public.cells),
                     (select (last_value / ${idsPerCell})::int from pg_sequences
                       where schemaname = $1 and sequencename = 'accounts_id_seq')) as number`,
    [schema],
  );
  return rows[0]?.number ?? 1;
}
