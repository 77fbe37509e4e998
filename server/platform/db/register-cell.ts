import type pg from 'pg';
import { idsPerCell, mostCells, smallIdsPerCell } from './cell-ids.ts';
import { withServerLock } from './server-lock.ts';
import { defaultSchema } from './shared-names.ts';

/**
 * Gives a cell its number when it is made, and the sequences of its ids their place: an account that is moved keeps its
 * ids, so no two cells of a database may make the same. `connectionString` is the owner's, without a schema.
 */
export async function registerCell(connectionString: string, schema: string): Promise<void> {
  await withServerLock(connectionString, 'dovepost schemas', async (client) => {
    const { rows } = await client.query<{ number: number }>('select number from public.cells where name = $1', [
      schema,
    ]);
    const known = rows[0]?.number;
    const number = known ?? (schema === defaultSchema ? 0 : await nextNumber(client, schema));
    await client.query('begin');
    if (number > 0) await placeSequences(client, schema, number);
    if (known === undefined)
      await client.query('insert into public.cells (name, number) values ($1, $2)', [schema, number]);
    await client.query('commit');
  });
}

/** Sequences whose next number another cell may have given out already go to the place of this one, once. */
async function placeSequences(client: pg.Client, schema: string, number: number): Promise<void> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select quote_ident(schemaname) || '.' || quote_ident(sequencename) as name, data_type::text as type
       from pg_sequences where schemaname = $1 and not cycle`,
    [schema],
  );
  for (const { name, type } of rows) {
    const first = number * (type === 'bigint' ? idsPerCell : smallIdsPerCell) + 1;
    await client.query(`select setval($1, $2, false) from ${name} where last_value < $2`, [name, first]);
  }
}

/** Higher than those of all others, and than what a backup has brought. */
async function nextNumber(client: pg.Client, schema: string): Promise<number> {
  const { rows } = await client.query<{ number: number }>(
    `select greatest((select coalesce(max(number), 0) + 1 from public.cells),
                     (select (last_value / ${idsPerCell})::int from pg_sequences
                       where schemaname = $1 and sequencename = 'accounts_id_seq')) as number`,
    [schema],
  );
  const next = rows[0]?.number ?? 1;
  if (next >= mostCells) throw new Error(`A database has at most ${mostCells} cells`);
  return next;
}
