import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type pg from 'pg';
import { openPromise } from 'yauzl';
import { archivedTables } from '#server/modules/outreach/account-data/index.ts';
import { readCsv } from '#server/platform/csv/read-csv.ts';
import { withoutFormulaGuard } from '#contracts/formula-guard.ts';

/** How many there are, and what all of them come to, in whatever order they are read. */
type Digest = { count: number; sum: string };

async function digestOf(items: AsyncIterable<string>): Promise<Digest> {
  const hashes: string[] = [];
  for await (const item of items) hashes.push(createHash('sha256').update(item).digest('base64'));
  const sum = createHash('sha256').update(hashes.toSorted().join()).digest('hex');
  return { count: hashes.length, sum };
}

/** JSON whose names are in order. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );

async function* linesOf(part: Readable): AsyncGenerator<string> {
  for await (const line of createInterface({ input: part, crlfDelay: Infinity })) yield canonical(JSON.parse(line));
}

const rowsAtOnce = 1_000;

/** The answer of a query, a page at a time, by a cursor. */
async function* readAll<T>(database: pg.Pool, query: string, accountId: number): AsyncGenerator<T> {
  const client = await database.connect();
  try {
    await client.query('begin');
    // The reader may be held up for as long as the machine is busy.
    await client.query('set local idle_in_transaction_session_timeout = 0');
    await client.query(`declare rows cursor for ${query.replace('$1', String(accountId))}`);
    for (;;) {
      const { rows } = await client.query(`fetch ${rowsAtOnce} from rows`);
      if (rows.length === 0) break;
      yield* rows as T[];
    }
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** Rows as the archive has them: no bytes, which are secrets or pictures, and no digests of secrets. */
async function* rowsOf(database: pg.Pool, table: string, accountId: number): AsyncGenerator<string> {
  const { rows: columns } = await database.query<{ name: string }>(
    `select column_name as name from information_schema.columns
      where table_schema = current_schema() and table_name = $1 and (data_type = 'bytea' or column_name ~ '_(hash|sealed)$')`,
    [table],
  );
  const left = `'{${columns.map(({ name }) => name).join()}}'::text[]`;
  const query = `select to_jsonb(t) - ${left} as row from ${table} t where account_id = $1`;
  for await (const { row } of readAll<{ row: unknown }>(database, query, accountId)) yield canonical(row);
}

const cellLimits = { maxCells: 2_000, maxCellLength: 1_000_000 };

/** Two columns of a CSV, as they were before they were made safe for spreadsheets. */
async function* cellsOf(part: Readable, [first, second]: readonly [string, string]): AsyncGenerator<string> {
  let header: readonly string[] | undefined;
  for await (const { cells } of readCsv(part, cellLimits)) {
    if (!header) {
      header = cells;
      continue;
    }
    const values = [first, second].map((name) => withoutFormulaGuard(cells[header?.indexOf(name) ?? -1] ?? ''));
    yield canonical(values);
  }
}

async function* textsOf(database: pg.Pool, query: string, accountId: number): AsyncGenerator<string> {
  for await (const { id, text } of readAll<{ id: number; text: string | null }>(database, query, accountId))
    yield canonical([String(id), text ?? '']);
}

async function hashOf(part: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of part) hash.update(bytes as Buffer);
  return hash.digest('hex');
}

/** Where an archive and the database say different things; it is read again whole, each line and each file of it. */
export async function archiveFaults(
  database: pg.Pool,
  { accountId, path }: { accountId: number; path: string },
): Promise<string[]> {
  const faults: string[] = [];
  const left = new Set<string>(archivedTables);
  const { rows: stored } = await database.query<{ id: string; sha256: string }>(
    `select id, sha256 from media_files where account_id = $1 and state = 'stored'`,
    [accountId],
  );
  const files = new Map(stored.map(({ id, sha256 }) => [id, sha256]));
  const compare = (name: string, archived: Digest, kept: Digest) => {
    if (archived.count !== kept.count) faults.push(`${name}: ${archived.count} of ${kept.count}`);
    else if (archived.sum !== kept.sum) faults.push(`${name}: ${kept.count}, and some differ`);
  };
  const zip = await openPromise(path);
  for await (const entry of zip.eachEntry()) {
    const { fileName: name } = entry;
    const part = await zip.openReadStreamPromise(entry);
    const table = /^data\/(.+)\.jsonl$/.exec(name)?.[1];
    if (table !== undefined) {
      left.delete(table);
      compare(name, await digestOf(linesOf(part)), await digestOf(rowsOf(database, table, accountId)));
    } else if (name === 'messages.csv') {
      const texts = textsOf(database, 'select id, body as text from messages where account_id = $1', accountId);
      compare(name, await digestOf(cellsOf(part, ['id', 'message'])), await digestOf(texts));
    } else if (name === 'contacts.csv') {
      const names = textsOf(database, 'select id, name as text from profiles where account_id = $1', accountId);
      compare(name, await digestOf(cellsOf(part, ['id', 'name'])), await digestOf(names));
    } else if (name.startsWith('files/')) {
      const id = [...files.keys()].find((each) => name.startsWith(`files/${each}-`)) ?? '';
      if ((await hashOf(part)) !== files.get(id)) faults.push(`${name}: other bytes`);
      files.delete(id);
    } else part.resume();
  }
  faults.push(...[...left].map((table) => `data/${table}.jsonl is missing`));
  faults.push(...[...files.keys()].map((id) => `files/${id} is missing`));
  return faults;
}
