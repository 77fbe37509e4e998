import type { listRecipients as contract } from '#contracts/campaigns.ts';
import type { EndpointInput, EndpointResponse } from '#contracts/endpoint.ts';
import type { AccountContext } from '#server/context.ts';
import { countEntries, pageOfEntries } from '#server/modules/outreach/recipients/index.ts';
import { getCampaignRecord } from '../queries.ts';
import { findRecipients, narrowRecipients } from './find-recipients.ts';

type ListRecipients = { campaignId: number } & EndpointInput<typeof contract>['query'];

export async function listRecipients(
  ctx: AccountContext,
  { campaignId, ...query }: ListRecipients,
): Promise<EndpointResponse<typeof contract>> {
  const campaign = await getCampaignRecord(ctx, campaignId);
  const narrowed = await narrowRecipients(ctx, campaign, query);
  const page = await pageOfEntries(query, {
    read: (slice) => findRecipients(ctx, campaign, narrowed, slice),
    keyOf: (recipient) => recipient.profile_id,
  });
  return { ...page, total: await countEntries(ctx, narrowed, campaign), page: query.page, pageSize: query.pageSize };
}
