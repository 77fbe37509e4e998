import type { Recipient, RecipientStatus } from '#contracts/campaigns.ts';
import type { AccountContext } from '#server/context.ts';
import { entryCount } from '#server/modules/recipients/index.ts';
import { getCampaignRecord } from '../queries.ts';
import { findRecipients } from './find-recipients.ts';

type ListRecipients = { campaignId: number; page: number; pageSize: number; status?: RecipientStatus | undefined };
type Page = { data: Recipient[]; total: number; page: number; pageSize: number };

export async function listRecipients(ctx: AccountContext, input: ListRecipients): Promise<Page> {
  const { campaignId, page, pageSize, status } = input;
  const campaign = await getCampaignRecord(ctx, campaignId);
  const data = await findRecipients(ctx, campaign, { status, limit: pageSize, offset: (page - 1) * pageSize });
  return { data, total: entryCount(campaign, status), page, pageSize };
}
