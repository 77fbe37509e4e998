import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { cellsOf, parseNotes, parseRows } from './import-rows.ts';
import type { FileRow } from './import-rows.ts';
import { sampleOf } from './upload-import.ts';

const chunksAtOnce = 20;

/** Calling codes have three digits at most, and a national number begins with a zero in many countries. */
const longestCallingCode = 3;

type Chunk = { import_id: number; number: number; rows: string; notes: string | null };
type Erasing = { accountId: number; numbers: readonly string[] };

/**
 * Empties the rows with a person's number in files that are kept: an import that runs later finds nobody in them. A file
 * has numbers as they were written, so that the digits count, with the calling code or without.
 */
export async function eraseImportedRows(ctx: Context, { accountId, numbers }: Erasing): Promise<void> {
  const isTheirs = (row: FileRow) => cellsOf(row).some((cell) => isOneOf(cell, numbers));
  for (let after: Pick<Chunk, 'import_id' | 'number'> = { import_id: 0, number: -1 }; ;) {
    const chunks = await readChunks(ctx, { accountId, after });
    for (const chunk of chunks) {
      const rows = parseRows(chunk.rows);
      const theirs = rows.filter(isTheirs);
      if (theirs.length > 0) await emptyRows(ctx, { accountId, chunk, rows, isTheirs });
    }
    const last = chunks.at(-1);
    if (!last || chunks.length < chunksAtOnce) break;
    after = last;
  }
  await ctx.db
    .deleteFrom('profile_import_numbers')
    .where('account_id', '=', accountId)
    .where('phone', 'in', numbers)
    .execute();
}

function isOneOf(cell: string, numbers: readonly string[]): boolean {
  const digits = cell.replaceAll(/\D/g, '').replace(/^0+/, '');
  return numbers.some((number) => digits.length >= number.length - longestCallingCode && number.endsWith(digits));
}

function readChunks(
  { db }: Context,
  { accountId, after }: { accountId: number; after: Pick<Chunk, 'import_id' | 'number'> },
): Promise<Chunk[]> {
  return db
    .selectFrom('profile_import_chunks')
    .select(['import_id', 'number', 'rows', 'notes'])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`(import_id, number) > (${after.import_id}, ${after.number})`)
    .orderBy('import_id')
    .orderBy('number')
    .limit(chunksAtOnce)
    .execute();
}

type Emptying = { accountId: number; chunk: Chunk; rows: readonly FileRow[]; isTheirs(row: FileRow): boolean };

async function emptyRows({ db }: Context, { accountId, chunk, rows, isTheirs }: Emptying): Promise<void> {
  const places = new Set(rows.flatMap((row, place) => (isTheirs(row) ? [String(place)] : [])));
  const notes = Object.entries(parseNotes(chunk.notes)).filter(([place]) => !places.has(place));
  await db
    .updateTable('profile_import_chunks')
    .set({
      rows: JSON.stringify(rows.map((row) => (isTheirs(row) ? cellsOf(row).map(() => '') : row))),
      ...(chunk.notes !== null && { notes: JSON.stringify(Object.fromEntries(notes)) }),
    })
    .where('account_id', '=', accountId)
    .where('import_id', '=', chunk.import_id)
    .where('number', '=', chunk.number)
    .execute();
  const cells = rows.filter(isTheirs).flatMap((row) => cellsOf(row).map((cell) => sampleOf(cell)));
  const found = await db
    .selectFrom('profile_imports')
    .select('columns')
    .where('account_id', '=', accountId)
    .where('id', '=', chunk.import_id)
    .executeTakeFirstOrThrow();
  const columns = found.columns.map((column) => ({
    ...column,
    samples: column.samples.filter((sample) => !cells.includes(sample)),
  }));
  await db
    .updateTable('profile_imports')
    .set({ columns: JSON.stringify(columns) })
    .where('account_id', '=', accountId)
    .where('id', '=', chunk.import_id)
    .execute();
}
