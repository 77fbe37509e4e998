import { Readable } from 'node:stream';
import type { AccountContext } from '#server/context.ts';
import type { Narrowing } from '#server/modules/outreach/recipients/index.ts';
import { pagedCsv } from '#server/platform/csv/paged-csv.ts';
import { getFlowRow } from '../queries.ts';
import { findDeliveries, narrowDeliveries } from './find-deliveries.ts';

const columns = [
  'profile_id',
  'profile_name',
  'phone',
  'message',
  'status',
  'message_status',
  'message_id',
  'error',
  'error_code',
  'created_at',
  'sent_at',
  'replied_at',
  'clicked_at',
] as const;

const rowsPerRead = 1000;

/** CSV, newest first, read from the database as it is taken. */
export async function exportDeliveries(
  ctx: AccountContext,
  { flowId, ...narrowing }: { flowId: number } & Narrowing,
): Promise<Readable> {
  const flow = await getFlowRow(ctx, flowId);
  const narrowed = await narrowDeliveries(ctx, flow, narrowing);
  const csv = pagedCsv({
    header: columns,
    rowsPerRead,
    read: (after, limit) => findDeliveries(ctx, flow, narrowed, { after, limit }),
    keyOf: ({ id }) => id,
    cellsOf: (row) => columns.map((column) => String(row[column] ?? '')),
  });
  return Readable.from(csv, { objectMode: false });
}
