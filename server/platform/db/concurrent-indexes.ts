import pg from 'pg';
import { withServerLock } from './server-lock.ts';

/**
 * An index of a table that may be large. The index is built after the migrations have run, while others write to the
 * table, and again at the next start if that was interrupted.
 */
export type ConcurrentIndex<Table extends string = string> = {
  name: string;
  table: Table;
  isUnique?: boolean;
  /** The part of the statement after the table's name: columns and conditions. */
  columns: string;
  /** Run before each build: settles what an older process beside this one has written meanwhile. */
  prepare?: string;
  /** The index that this one takes the place of. */
  replaces?: string;
};

/** `schema`: an index that is not there would be looked for in `public`, too. */
type State = { is_valid: boolean; is_divided: boolean; schema: string };

/** Builds those that are missing; one process at a time. `connectionString` is the owner's. */
export function buildIndexes(connectionString: string, indexes: readonly ConcurrentIndex[]): Promise<void> {
  return withServerLock(connectionString, 'dovepost indexes', async (client) => {
    for (const index of indexes) await ensureIndex(client, index);
  });
}

async function ensureIndex(client: pg.Client, index: ConcurrentIndex): Promise<void> {
  const state = await stateOf(client, index);
  if (!state.is_valid) {
    if (index.prepare !== undefined) await client.query(index.prepare);
    if (state.is_divided) await buildInParts(client, index, state);
    else await build(client, index, state);
  }
  if (index.replaces === undefined) return;
  const replaced = `${state.schema}.${index.replaces}`;
  if (state.is_divided) await dropDivided(client, replaced);
  else await client.query(`drop index concurrently if exists ${replaced}`);
}

/** SQLSTATE of a lock that was waited for too long. */
const lockNotAvailable = '55P03';

/** PostgreSQL drops no divided index concurrently: one that is in use now is left for the next start. */
async function dropDivided(client: pg.Client, name: string): Promise<void> {
  await client.query(`set lock_timeout = '1s'`);
  try {
    await client.query(`drop index if exists ${name}`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== lockNotAvailable) throw error;
  } finally {
    await client.query('set lock_timeout = 0');
  }
}

async function stateOf(client: pg.Client, { name, table }: ConcurrentIndex): Promise<State> {
  const { rows } = await client.query<State>(
    `select coalesce((select i.indisvalid from pg_index i join pg_class x on x.oid = i.indexrelid
                       where x.relname = $1 and x.relnamespace = c.relnamespace), false) as is_valid,
            relkind = 'p' as is_divided, relnamespace::regnamespace::text as schema
       from pg_class c where oid = $2::regclass`,
    [name, table],
  );
  if (!rows[0]) throw new Error(`There is no table ${table}`);
  return rows[0];
}

/** A build that was interrupted leaves an index that is not valid. */
async function build(
  client: pg.Client,
  { name, table, isUnique, columns }: ConcurrentIndex,
  { schema }: State,
): Promise<void> {
  await client.query(`drop index concurrently if exists ${schema}.${name}`);
  await client.query(`create ${isUnique ? 'unique ' : ''}index concurrently ${name} on ${table} ${columns}`);
}

/** A table that is divided takes no concurrent build: each part gets one, and the whole is valid with the last. */
async function buildInParts(client: pg.Client, index: ConcurrentIndex, state: State): Promise<void> {
  const { name, table, isUnique, columns } = index;
  // Parts that are made from now on have it from their start.
  await client.query(`create ${isUnique ? 'unique ' : ''}index if not exists ${name} on only ${table} ${columns}`);
  const { rows: parts } = await client.query<{ part: string }>(
    `select c.relname as part from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = $1::regclass
        and not exists (select from pg_index x join pg_inherits xi on xi.inhrelid = x.indexrelid
                         where x.indrelid = c.oid and xi.inhparent = $2::regclass)
      order by 1`,
    [table, name],
  );
  for (const { part } of parts) {
    const partName = `${part}_${name}`;
    await build(client, { ...index, name: partName, table: part }, state);
    await client.query(`alter index ${name} attach partition ${partName}`);
  }
}
