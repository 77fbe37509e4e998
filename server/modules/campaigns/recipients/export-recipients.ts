import { Readable } from 'node:stream';
import type { RecipientStatus } from '#contracts/campaigns.ts';
import type { AccountContext } from '#server/context.ts';
import { csvRecord } from '#server/platform/csv/write-csv.ts';
import type { CampaignRow } from '../campaign.ts';
import { getCampaignRecord } from '../queries.ts';
import { findRecipients } from './find-recipients.ts';

type ExportRecipients = { campaignId: number; status?: RecipientStatus | undefined };

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
  return Readable.from(csvOf(ctx, campaign, input.status), { objectMode: false });
}

async function* csvOf(
  ctx: AccountContext,
  campaign: CampaignRow,
  status: RecipientStatus | undefined,
): AsyncGenerator<string> {
  yield csvRecord(columns);
  let after = 0;
  for (;;) {
    const rows = await findRecipients(ctx, campaign, { status, after, limit: rowsPerRead });
    if (rows.length > 0) {
      yield rows.map((row) => csvRecord(columns.map((column) => String(row[column] ?? '')))).join('');
    }
    if (rows.length < rowsPerRead) return;
    after = rows.at(-1)?.profile_id ?? after;
  }
}
