import { createWriteStream } from 'node:fs';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { isFileFault } from '../../file-faults.ts';
import { makeDirectory } from '../../make-directory.ts';
import { BackupError, manifestFile, tableFile } from './manifest.ts';
import type { Manifest } from './manifest.ts';

/** Of Kysely's migrator, and of all cells of the database. */
const leftOut = ['kysely_migration', 'kysely_migration_lock', 'cells', 'cell_directory'];

/** Every table with its own rows or with partitions, and the columns that are not computed from others. */
const tablesSql = `
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
   where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     and c.relname <> all($1::text[]) and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
   group by c.relname order by c.relname`;

const partitionsSql = `
  select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
   where c.relnamespace = current_schema()::regnamespace and c.relispartition and c.relkind in ('r', 'p') order by c.relname`;

const sequencesSql = `
  select sequencename as name, last_value::text as last_value from pg_sequences
   where schemaname = current_schema() and last_value is not null order by 1`;

/**
 * Writes all tables as they are at one moment into a new directory, while the product goes on. Only a migration waits
 * for its locks. `connectionString` leads to PostgreSQL itself, without a pooler, as a role that may read all tables. A
 * backup that broke off leaves nothing under `directory`. Throws `BackupError` where it cannot be written.
 */
export async function writeBackup(connectionString: string, directory: string): Promise<Manifest> {
  if (await isThere(directory)) throw new BackupError(`${directory} is there already: name a new directory`);
  try {
    return await writeAll(connectionString, directory);
  } catch (error) {
    if (!isFileFault(error)) throw error;
    throw new BackupError(
      `${directory} could not be written, and nothing of the backup is there: ${error.message}. Name a place with room that this user may write to.`,
    );
  }
}

async function writeAll(connectionString: string, directory: string): Promise<Manifest> {
  const draft = `${directory}.unfinished`;
  await rm(draft, { recursive: true, force: true });
  await makeDirectory(draft);
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0');
    await client.query('begin transaction isolation level repeatable read, read only');
    const manifest = await describe(client);
    for (const table of manifest.tables)
      table.rows = await writeTable(client, table, join(draft, tableFile(table.name)));
    await writeFile(join(draft, manifestFile), JSON.stringify(manifest, null, 2));
    await client.query('commit');
    await rename(draft, directory);
    return manifest;
  } finally {
    await client.end();
    await rm(draft, { recursive: true, force: true });
  }
}

async function describe(client: pg.Client): Promise<Manifest> {
  const migrations = await client.query<{ name: string }>('select name from kysely_migration order by name');
  const tables = await client.query<{ name: string; columns: string[] }>(tablesSql, [leftOut]);
  const partitions = await client.query<Manifest['partitions'][number]>(partitionsSql);
  const sequences = await client.query<Manifest['sequences'][number]>(sequencesSql);
  const version = await client.query<{ server_version: string }>('show server_version');
  return {
    format: 1,
    made_at: new Date().toISOString(),
    server_version: version.rows[0]?.server_version ?? '',
    migrations: migrations.rows.map(({ name }) => name),
    tables: tables.rows.map((table) => ({ ...table, rows: 0 })),
    partitions: partitions.rows,
    sequences: sequences.rows,
  };
}

async function writeTable(
  client: pg.Client,
  { name, columns }: Manifest['tables'][number],
  path: string,
): Promise<number> {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  const rows = client.query(copyTo(`copy (select ${list} from ${pg.escapeIdentifier(name)}) to stdout`));
  await pipeline(rows, createGzip({ level: 6 }), createWriteStream(path, { mode: 0o600 }));
  return rows.rowCount;
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
