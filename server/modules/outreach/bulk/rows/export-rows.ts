import { Readable } from 'node:stream';
import type { AccountContext } from '#server/context.ts';
import { pagedCsv } from '#server/platform/csv/paged-csv.ts';
import { getBulkRunRow } from '../queries.ts';
import { findRows, narrowRows } from './find-rows.ts';

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
  const all = await narrowRows(ctx, run, {});
  const csv = pagedCsv({
    // With its byte order mark, spreadsheets read the file as UTF-8.
    mark: '\uFEFF',
    header: ['row', ...run.columns, ...ownColumns],
    rowsPerRead,
    read: (after, limit) => findRows(ctx, run, all, { after, limit }),
    keyOf: ({ row }) => row,
    cellsOf: ({ fields, phone, ...row }) => [
      String(row.row),
      ...run.columns.map((column) => fields[column] ?? ''),
      ...ownColumns.map((column) => String((column === 'number' ? phone : row[column]) ?? '')),
    ],
  });
  return Readable.from(csv, { objectMode: false });
}
