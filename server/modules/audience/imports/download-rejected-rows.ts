import { Readable } from 'node:stream';
import { rejectedColumns } from '#contracts/guess-fields.ts';
import type { AccountContext } from '#server/context.ts';
import { csvRecord } from '#server/platform/csv/write-csv.ts';
import { findChunkSizes, readChunk } from './list-import-rows.ts';
import type { ImportRecord } from './present.ts';
import { getImportRecord } from './queries.ts';

/** CSV of the invalid rows: where each stands in the file, why it is invalid, and its cells. */
export async function downloadRejectedRows(ctx: AccountContext, input: { importId: number }): Promise<Readable> {
  const record = await getImportRecord(ctx, input.importId);
  return Readable.from(csvOf(ctx, record), { objectMode: false });
}

async function* csvOf(ctx: AccountContext, record: ImportRecord): AsyncGenerator<string> {
  yield csvRecord([...rejectedColumns, ...record.columns.map(({ header }) => header)]);
  for (const { number } of await findChunkSizes(ctx, record.id, 'invalid')) {
    const rows = await readChunk(ctx, record.id, number, 'invalid');
    yield rows.map(({ row, reason, cells }) => csvRecord([String(row), reason ?? '', ...cells])).join('');
  }
}
