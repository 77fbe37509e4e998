import type { ImportRow, ReportedRows } from '#contracts/profile-imports.ts';
import type { AccountContext } from '#server/context.ts';
import { cellsOf, outcomeOf, parseNotes, parseOutcomes, parseRows, reasonOf } from './import-rows.ts';
import { getImportRecord } from './queries.ts';

type ListImportRows = { importId: number; page: number; pageSize: number; outcome?: ReportedRows | undefined };
type Page = { data: ImportRow[]; total: number; page: number; pageSize: number };
type ChunkSize = { number: number; size: number };

/** The report of a check or an import, row by row, or some of the rows. */
export async function listImportRows(ctx: AccountContext, input: ListImportRows): Promise<Page> {
  const { page, pageSize, outcome } = input;
  const record = await getImportRecord(ctx, input.importId);
  const sizes = await findChunkSizes(ctx, record.id, outcome);
  const total = sizes.reduce((sum, { size }) => sum + size, 0);
  const data: ImportRow[] = [];
  let passed = 0;
  const start = (page - 1) * pageSize;
  for (const { number, size } of sizes) {
    if (data.length === pageSize) break;
    if (passed + size > start) {
      const rows = await readChunk(ctx, record.id, number, outcome);
      data.push(...rows.slice(Math.max(0, start - passed), Math.max(0, start - passed) + pageSize - data.length));
    }
    passed += size;
  }
  return { data, total, page, pageSize };
}

/** How many rows of each chunk the report has. */
export async function findChunkSizes(
  ctx: AccountContext,
  importId: number,
  outcome: ReportedRows | undefined,
): Promise<ChunkSize[]> {
  const rows = await ctx.db
    .selectFrom('profile_import_chunks')
    .select(['number', outcome === undefined ? 'row_count as size' : `${outcome}_rows as size`])
    .where('account_id', '=', ctx.account.id)
    .where('import_id', '=', importId)
    .orderBy('number')
    .execute();
  return rows.filter(({ size }) => size > 0);
}

export async function readChunk(
  ctx: AccountContext,
  importId: number,
  number: number,
  outcome: ReportedRows | undefined,
): Promise<ImportRow[]> {
  const chunk = await ctx.db
    .selectFrom('profile_import_chunks')
    .select(['rows', 'outcomes', 'notes', 'first_row'])
    .where('account_id', '=', ctx.account.id)
    .where('import_id', '=', importId)
    .where('number', '=', number)
    .executeTakeFirst();
  // The import has been deleted in the meantime.
  if (!chunk) return [];
  const outcomes = parseOutcomes(chunk.outcomes);
  const notes = parseNotes(chunk.notes);
  return parseRows(chunk.rows)
    .map((row, index): ImportRow => {
      const stored = outcomes[index];
      return {
        row: chunk.first_row + index,
        cells: cellsOf(row),
        outcome: stored === undefined ? null : outcomeOf(stored),
        reason: stored === undefined ? null : reasonOf(stored),
        notes: notes[index]?.map(({ text }) => text) ?? [],
      };
    })
    .filter((row) => outcome === undefined || (outcome === 'noted' ? row.notes.length > 0 : row.outcome === outcome));
}
