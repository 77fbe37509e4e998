import { Readable } from 'node:stream';
import type { AccountContext } from '#server/context.ts';
import type { Narrowing } from '#server/modules/outreach/recipients/index.ts';
import { pagedCsv } from '#server/platform/csv/paged-csv.ts';
import { getCampaignRecord } from '../queries.ts';
import { findRecipients, narrowRecipients } from './find-recipients.ts';

type ExportRecipients = { campaignId: number } & Narrowing;

const columns = [
  'profile_id',
  'name',
  'phone',
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

/** CSV in the order of sending, read from the database as it is taken. */
export async function exportRecipients(ctx: AccountContext, input: ExportRecipients): Promise<Readable> {
  const campaign = await getCampaignRecord(ctx, input.campaignId);
  const narrowed = await narrowRecipients(ctx, campaign, input);
  const csv = pagedCsv({
    header: columns,
    rowsPerRead,
    read: (after, limit) => findRecipients(ctx, campaign, narrowed, { after, limit }),
    keyOf: (row) => row.profile_id,
    cellsOf: (row) => columns.map((column) => String(row[column] ?? '')),
  });
  return Readable.from(csv, { objectMode: false });
}
