import { Readable } from 'node:stream';
import type { AccountContext } from '#server/context.ts';
import { csvRecord } from '#server/platform/csv/write-csv.ts';
import type { BulkRunRow } from '../bulk-run.ts';
import { getBulkRunRow } from '../queries.ts';
import { findRows } from './find-rows.ts';

const ownColumns = [
  'number',
  'status',
  'message_status',
  'message_id',
  'error',
  'error_code',
  'changed_at',
  'replied_at',
] as const;

const rowsPerRead = 1000;

/** The result file: the columns of the run's file, then what became of each row; read as it is taken. */
export async function exportRows(ctx: AccountContext, { runId }: { runId: number }): Promise<Readable> {
  const run = await getBulkRunRow(ctx, runId);
  return Readable.from(csvOf(ctx, run), { objectMode: false });
}

async function* csvOf(ctx: AccountContext, run: BulkRunRow): AsyncGenerator<string> {
  // With its byte order mark, spreadsheets read the file as UTF-8.
  yield `\uFEFF${csvRecord(['row', ...run.columns, ...ownColumns])}`;
  let after = 0;
  for (;;) {
    const rows = await findRows(ctx, run, { after, limit: rowsPerRead });
    if (rows.length > 0) {
      yield rows
        .map(({ fields, phone, ...row }) =>
          csvRecord([
            String(row.row),
            ...run.columns.map((column) => fields[column] ?? ''),
            ...ownColumns.map((column) => String((column === 'number' ? phone : row[column]) ?? '')),
          ]),
        )
        .join('');
    }
    if (rows.length < rowsPerRead) return;
    after = rows.at(-1)?.row ?? after;
  }
}
