import { Readable } from 'node:stream';
import type { AccountContext } from '#server/context.ts';
import type { Narrowing } from '#server/modules/outreach/recipients/index.ts';
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
  'clicked_at',
] as const;

const rowsPerRead = 1000;

/** The result file: the columns of the run's file, then the outcome of each row; read as it is taken. */
export async function exportRows(
  ctx: AccountContext,
  { runId, ...narrowing }: { runId: number } & Narrowing,
): Promise<Readable> {
  const run = await getBulkRunRow(ctx, runId);
  const narrowed = await narrowRows(ctx, run, narrowing);
  const csv = pagedCsv({
    // With its byte order mark, spreadsheets read the file as UTF-8.
    mark: '\uFEFF',
    header: ['row', ...run.columns, ...ownColumns],
    rowsPerRead,
    read: (after, limit) => findRows(ctx, run, narrowed, { after, limit }),
    keyOf: ({ row }) => row,
    cellsOf: ({ fields, phone, ...row }) => [
      String(row.row),
      // A row that lacks a column named like a method, such as `constructor`, does not inherit that.
      ...run.columns.map((column) => (Object.hasOwn(fields, column) ? (fields[column] ?? '') : '')),
      ...ownColumns.map((column) => String((column === 'number' ? phone : row[column]) ?? '')),
    ],
  });
  return Readable.from(csv, { objectMode: false });
}
