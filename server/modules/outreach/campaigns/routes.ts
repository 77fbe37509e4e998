import * as contract from '#contracts/campaigns.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { cancelCampaign, pauseCampaign, resumeCampaign } from './change-campaign.ts';
import { createCampaign } from './create-campaign.ts';
import { deleteCampaign } from './delete-campaign.ts';
import { listCampaigns } from './list-campaigns.ts';
import { presentCampaignFor } from './present.ts';
import { previewCampaign } from './preview-campaign.ts';
import { getCampaignRecord } from './queries.ts';
import { exportRecipients } from './recipients/export-recipients.ts';
import { listRecipients } from './recipients/list-recipients.ts';
import { reportCampaign, retryFailedRecipients } from './report-campaign.ts';
import { updateCampaign } from './update-campaign.ts';

export const campaignRoutes: Route[] = [
  route(contract.listCampaigns, (ctx, { query }) => listCampaigns(ctx, query)),
  route(contract.createCampaign, (ctx, { body }) => createCampaign(ctx, body)),
  route(contract.getCampaign, async (ctx, { params }) => {
    return presentCampaignFor(ctx, await getCampaignRecord(ctx, params.campaignId));
  }),
  route(contract.updateCampaign, (ctx, { params, body }) => updateCampaign(ctx, { ...params, change: body })),
  route(contract.deleteCampaign, async (ctx, { params }) => {
    await deleteCampaign(ctx, params);
    return undefined;
  }),
  route(contract.pauseCampaign, (ctx, { params }) => pauseCampaign(ctx, params)),
  route(contract.resumeCampaign, (ctx, { params }) => resumeCampaign(ctx, params)),
  route(contract.cancelCampaign, (ctx, { params }) => cancelCampaign(ctx, params)),
  route(contract.getCampaignReport, (ctx, { params }) => reportCampaign(ctx, params)),
  route(contract.retryFailedRecipients, (ctx, { params }) => retryFailedRecipients(ctx, params)),
  route(contract.listRecipients, (ctx, { params, query }) => listRecipients(ctx, { ...params, ...query })),
  route(contract.exportRecipients, async (ctx, { params, query }, { reply }) => {
    reply.header('content-disposition', `attachment; filename="campaign-${params.campaignId}.csv"`);
    return exportRecipients(ctx, { ...params, ...query });
  }),
  route(contract.previewCampaign, (ctx, { body }) => previewCampaign(ctx, body)),
];
