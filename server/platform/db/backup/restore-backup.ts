import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import { BackupError, Manifest, manifestFile, tableFile } from './manifest.ts';

/**
 * Fills an empty database with a backup: the schema as it was then, then all rows, in one transaction. Later changes to
 * the schema are left to the next start, or `npm run migrate`. `connectionString` is the owner's, without a pooler.
 * Throws `BackupError` for a database that is not empty, for a backup that is broken or of a newer version, and for what
 * broke off.
 */
export async function restoreBackup(connectionString: string, directory: string): Promise<Manifest> {
  const manifest = await readManifest(directory);
  const all = migrationsOf(manifest);
  await requireWhole(directory, manifest);
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await requireEmpty(client);
    await fill(client, { connectionString, directory, manifest, all });
    await client.query('analyze');
    return manifest;
  } finally {
    await client.end();
  }
}

type Filling = { connectionString: string; directory: string; manifest: Manifest; all: typeof migrations };

async function fill(client: pg.Client, { connectionString, directory, manifest, all }: Filling): Promise<void> {
  try {
    await migrate(connectionString, { all });
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0');
    await client.query('begin');
    await makePartitions(client, manifest);
    const tables = manifest.tables.map(({ name }) => pg.escapeIdentifier(name));
    await client.query(`truncate ${tables.join(', ')}`);
    for (const table of await inOrder(client, manifest)) await fillTable(client, table, directory);
    for (const { name, last_value: last } of manifest.sequences) {
      await client.query('select setval($1::regclass, $2::bigint)', [pg.escapeIdentifier(name), last]);
    }
    await client.query('commit');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupError(
      `The restore broke off: ${reason}. The database holds nothing of the backup but empty tables: make it anew before the next try.`,
      { cause: error },
    );
  }
}

async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(join(directory, manifestFile), 'utf8').catch(() => undefined);
  if (text === undefined) throw new BackupError(`${directory} holds no whole backup: it has no ${manifestFile}`);
  try {
    return Manifest.parse(JSON.parse(text));
  } catch (error) {
    throw new BackupError(`${join(directory, manifestFile)} cannot be read: ${(error as Error).message}`);
  }
}

/** Reads each file to its end, so that a damaged one is found before anything is written. */
async function requireWhole(directory: string, { tables }: Manifest): Promise<void> {
  for (const { name, rows } of tables) {
    const path = join(directory, tableFile(name));
    const found = await countRows(path).catch((error: Error) => {
      throw new BackupError(`The backup is damaged: ${path} cannot be read (${error.message})`);
    });
    if (found !== rows) throw new BackupError(`The backup is damaged: ${path} holds ${found} of ${rows} rows`);
  }
}

/** COPY ends each row with a line feed, and writes those within a value as two characters. */
async function countRows(path: string): Promise<number> {
  let rows = 0;
  const counting = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows += 1;
      done();
    },
  });
  await pipeline(createReadStream(path), createGunzip(), counting);
  return rows;
}

function migrationsOf({ migrations: names }: Manifest): typeof migrations {
  const unknown = names.find((name) => !(name in migrations));
  if (unknown !== undefined) throw new BackupError(`The backup is of a newer version: it has run ${unknown}`);
  return Object.fromEntries(Object.entries(migrations).filter(([name]) => names.includes(name)));
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') order by relname limit 1`,
  );
  if (rows[0])
    throw new BackupError(`The database is not empty: it has a table ${rows[0].name}. Restore into a new one.`);
}

async function makePartitions(client: pg.Client, { partitions }: Manifest): Promise<void> {
  for (const { name, parent, bound } of partitions) {
    const [own, whole] = [pg.escapeIdentifier(name), pg.escapeIdentifier(parent)];
    await client.query(`create table if not exists ${own} partition of ${whole} ${bound}`);
  }
}

/** Referenced tables come before those that refer to them. */
async function inOrder(client: pg.Client, { tables }: Manifest): Promise<Manifest['tables']> {
  const { rows } = await client.query<{ child: string; parent: string }>(
    `select distinct c.relname as child, p.relname as parent
       from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid
      where k.contype = 'f' and c.oid <> p.oid and c.relnamespace = current_schema()::regnamespace`,
  );
  const ordered: Manifest['tables'] = [];
  const left = new Set(tables);
  while (left.size > 0) {
    const names = new Set(Array.from(left, ({ name }) => name));
    const free = [...left].filter(({ name }) => !rows.some(({ child, parent }) => child === name && names.has(parent)));
    if (free.length === 0) throw new BackupError(`These tables refer to each other: ${[...names].join(', ')}`);
    for (const table of free) left.delete(table);
    ordered.push(...free);
  }
  return ordered;
}

async function fillTable(
  client: pg.Client,
  { name, columns, rows }: Manifest['tables'][number],
  directory: string,
): Promise<void> {
  const table = pg.escapeIdentifier(name);
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  // Rows kept by triggers are in the backup itself.
  await client.query(`alter table ${table} disable trigger user`);
  const filling = client.query(copyFrom(`copy ${table} (${list}) from stdin`));
  await pipeline(createReadStream(join(directory, tableFile(name))), createGunzip(), filling);
  await client.query(`alter table ${table} enable trigger user`);
  if (filling.rowCount !== rows) throw new BackupError(`${name}: ${filling.rowCount} of ${rows} rows could be read`);
}
