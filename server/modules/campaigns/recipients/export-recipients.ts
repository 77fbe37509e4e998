import { Readable } from 'node:stream';
import type { EntryFilter } from '#contracts/campaigns.ts';
import type { AccountContext } from '#server/context.ts';
import { pagedCsv } from '#server/platform/csv/paged-csv.ts';
import { getCampaignRecord } from '../queries.ts';
import { findRecipients } from './find-recipients.ts';

type ExportRecipients = { campaignId: number; status?: EntryFilter | undefined };

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
] as const;

const rowsPerRead = 1000;

/** CSV in the order of sending, read from the database as it is taken. */
export async function exportRecipients(ctx: AccountContext, input: ExportRecipients): Promise<Readable> {
  const campaign = await getCampaignRecord(ctx, input.campaignId);
  const csv = pagedCsv({
    header: columns,
    rowsPerRead,
    read: (after, limit) => findRecipients(ctx, campaign, { status: input.status, after: after ?? 0, limit }),
    keyOf: (row) => row.profile_id,
    cellsOf: (row) => columns.map((column) => String(row[column] ?? '')),
  });
  return Readable.from(csv, { objectMode: false });
}
