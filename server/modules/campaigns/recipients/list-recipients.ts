import type { EntryFilter, Recipient } from '#contracts/campaigns.ts';
import type { AccountContext } from '#server/context.ts';
import { countEntries } from '#server/modules/recipients/index.ts';
import { campaignLedger } from '../campaign-ledger.ts';
import { getCampaignRecord } from '../queries.ts';
import { findRecipients } from './find-recipients.ts';

type ListRecipients = { campaignId: number; page: number; pageSize: number; status?: EntryFilter | undefined };
type Page = { data: Recipient[]; total: number; page: number; pageSize: number };

export async function listRecipients(ctx: AccountContext, input: ListRecipients): Promise<Page> {
  const { campaignId, page, pageSize, status } = input;
  const campaign = await getCampaignRecord(ctx, campaignId);
  const data = await findRecipients(ctx, campaign, { status, limit: pageSize, offset: (page - 1) * pageSize });
  const total = await countEntries(ctx, { ledger: campaignLedger, sourceId: campaignId, counts: campaign }, status);
  return { data, total, page, pageSize };
}
