import type { Recipient, RecipientStatus } from '#contracts/campaigns.ts';
import type { AccountContext } from '#server/context.ts';
import { getCampaignRecord } from '../queries.ts';
import { findRecipients, recipientCount } from './find-recipients.ts';

type ListRecipients = { campaignId: number; page: number; pageSize: number; status?: RecipientStatus | undefined };
type Page = { data: Recipient[]; total: number; page: number; pageSize: number };

export async function listRecipients(ctx: AccountContext, input: ListRecipients): Promise<Page> {
  const { campaignId, page, pageSize, status } = input;
  const campaign = await getCampaignRecord(ctx, campaignId);
  const data = await findRecipients(ctx, campaign, { status, limit: pageSize, offset: (page - 1) * pageSize });
  return { data, total: recipientCount(campaign, status), page, pageSize };
}
