import { withoutFormulaGuard } from '#contracts/formula-guard.ts';
import { suggestType } from '#contracts/column-types.ts';
import type { ProfileImport } from '#contracts/profile-imports.ts';
import { looksLikeNumber, suggestCountry } from '#contracts/suggest-country.ts';
import { shortenText } from '#contracts/shorten-text.ts';
import type { AccountContext } from '#server/context.ts';
import { requireFreeSpace } from '#server/free-space.ts';
import { CsvError } from '#contracts/csv-error.ts';
import type { CsvRecord } from '#contracts/csv-parser.ts';
import { readCsv } from '#server/platform/csv/read-csv.ts';
import { numberPlans } from '#server/platform/number-plans.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { guessFields } from '#contracts/guess-fields.ts';
import type { FileRow } from './import-rows.ts';
import { presentImport } from './present.ts';
import type { ImportRecord } from './present.ts';
import { bytesPerFile, countStored } from './storage.ts';

const maxFileBytes = 200 * 1024 * 1024;
const maxRows = 2_000_000;
const limits = { maxCellLength: 32_768, maxCells: 500 };

/** A chunk is what one transaction of the import works on. */
const maxChunkRows = 1_000;
const maxChunkLength = 512 * 1024;

const sampleRows = 20;
const samplesPerColumn = 3;
const maxSampleLength = 60;

/** Rows by which a column's type is suggested. */
const judgedRows = 1000;

type UploadImport = { fileName: string | null; file: AsyncIterable<Uint8Array> };

/**
 * Stores a CSV file's rows as they come, some hundreds in memory at a time. Throws 413 `file_too_large` and `storage_quota_reached`,
 * 507 `storage_low`, 422
 * `invalid_csv` for what is no CSV; then nothing is kept.
 */
export async function uploadImport(ctx: AccountContext, { fileName, file }: UploadImport): Promise<ProfileImport> {
  let importId: number | undefined;
  try {
    await requireFreeSpace(ctx);
    const records = readCsv(withinSize(file), limits);
    const headers = await readHeader(records);
    importId = await insertImport(ctx, { fileName, headers, fields: guessFields(headers, await findCustomPaths(ctx)) });
    return presentImport(await storeRows(ctx, importId, headers, records));
  } catch (error) {
    // Remains that cannot be removed now, as the database is away or full, go with those of other uploads.
    if (importId !== undefined) {
      await removeImport(ctx, importId).catch((fault: unknown) => ctx.logger.warn({ err: fault }, 'an upload remains'));
    }
    throw error instanceof CsvError ? invalidCsv(error.message) : error;
  }
}

const invalidCsv = (message: string) => new ProblemError(422, 'invalid_csv', message);

async function* withinSize(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const part of file) {
    size += part.length;
    if (size > maxFileBytes) throw new ProblemError(413, 'file_too_large', 'A file may have at most 200 MiB');
    yield part;
  }
}

async function readHeader(records: AsyncGenerator<CsvRecord>): Promise<string[]> {
  const { value: header } = await records.next();
  if (!header) throw invalidCsv('CSV appears empty or invalid');
  if (header.problem !== undefined) throw invalidCsv(`The header row cannot be read: ${header.problem}`);
  return header.cells.map((cell: string) => withoutFormulaGuard(cell).trim());
}

async function findCustomPaths(ctx: AccountContext): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('profile_field_totals')
    .select('path')
    .distinct()
    .where('account_id', '=', ctx.account.id)
    .where('path', 'like', String.raw`custom\_fields.%`)
    .where('type', '!=', 'object')
    .limit(1000)
    .execute();
  return rows.map(({ path }) => path);
}

type NewImport = { fileName: string | null; headers: readonly string[]; fields: readonly (string | null)[] };

async function insertImport(ctx: AccountContext, { fileName, headers, fields }: NewImport): Promise<number> {
  const now = ctx.clock.now();
  const { id } = await ctx.db
    .insertInto('profile_imports')
    .values({
      account_id: ctx.account.id,
      file_name: fileName,
      status: 'uploading',
      columns: JSON.stringify(headers.map((header) => ({ header, samples: [] }))),
      fields: JSON.stringify(fields),
      country_code: null,
      error: null,
      created_at: now,
      worked_at: now,
      finished_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function storeRows(
  ctx: AccountContext,
  importId: number,
  headers: readonly string[],
  records: AsyncGenerator<CsvRecord>,
): Promise<ImportRecord> {
  const samples = headers.map((): string[] => []);
  const judged = headers.map((): string[] => []);
  let chunk: FileRow[] = [];
  let length = 0;
  let chunkCount = 0;
  let total = 0;

  async function storeChunk(): Promise<void> {
    if (chunk.length === 0) return;
    const rows = JSON.stringify(chunk);
    await requireFreeSpace(ctx);
    await countStored(ctx, importId, Buffer.byteLength(rows) + (chunkCount === 0 ? bytesPerFile : 0));
    await ctx.db
      .insertInto('profile_import_chunks')
      .values({
        account_id: ctx.account.id,
        import_id: importId,
        number: chunkCount,
        first_row: total - chunk.length + 1,
        row_count: chunk.length,
        rows,
      })
      .execute();
    chunkCount += 1;
    chunk = [];
    length = 0;
  }

  for await (const { cells, problem } of records) {
    total += 1;
    if (total > maxRows) throw new ProblemError(413, 'file_too_large', 'A file may have at most 2,000,000 rows');
    if (total <= sampleRows) addCells(samples, cells, samplesPerColumn);
    if (total <= judgedRows) addCells(judged, cells, judgedRows);
    chunk.push(problem === undefined ? cells : { cells: cells.map(shortened), problem });
    length += cells.reduce((sum, cell) => sum + cell.length, 0);
    if (chunk.length >= maxChunkRows || length >= maxChunkLength) await storeChunk();
  }
  await storeChunk();
  if (total === 0) throw invalidCsv('CSV appears empty or invalid');
  const holdNumbers = numberColumns(judged);
  // Files side by side may have missed each other's last chunks.
  await countStored(ctx, importId, 0);
  return ctx.db
    .updateTable('profile_imports')
    .set({
      status: 'ready',
      total_rows: total,
      chunk_count: chunkCount,
      columns: JSON.stringify(
        headers.map((header, index) => ({
          header,
          samples: samples[index] ?? [],
          suggested_type: suggestType(judged[index] ?? []),
          suggested_country: holdNumbers.includes(index) ? suggestCountry(judged[index] ?? [], numberPlans) : null,
        })),
      ),
    })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', importId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The places of columns of which most cells look like numbers, the first few: reading numbers takes time. */
function numberColumns(judged: readonly string[][]): number[] {
  const holdsNumbers = (cells: readonly string[]) => cells.filter(looksLikeNumber).length * 2 > cells.length;
  return judged.flatMap((cells, index) => (holdsNumbers(cells) ? [index] : [])).slice(0, 5);
}

function addCells(kept: string[][], cells: readonly string[], most: number): void {
  kept.forEach((ofColumn, index) => {
    const sample = sampleOf(cells[index] ?? '');
    if (sample !== '' && ofColumn.length < most) ofColumn.push(sample);
  });
}

/** A cell as the import shows it. */
export const sampleOf = (cell: string): string => shortened(cell.trim());

const shortened = (text: string) => shortenText(text, maxSampleLength);

export async function removeImport(ctx: AccountContext, importId: number): Promise<boolean> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('profile_imports')
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', importId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
