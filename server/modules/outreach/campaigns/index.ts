export { cancelCampaign, pauseCampaign, resumeCampaign } from './change-campaign.ts';
export { deleteCampaign } from './delete-campaign.ts';
export { campaignFilter } from './list-campaigns.ts';
export { failCampaignsOfSegment, refuseSegmentOfCampaigns } from './fail-campaigns-of-segment.ts';
export { settleRecipients } from './recipients/settle-recipients.ts';
export { campaignRoutes } from './routes.ts';
export { createCampaignRunner } from './sending/campaign-runner.ts';
export { wakeCampaign, wakeCampaigns } from './wake-campaigns.ts';
export { findLeavers } from './sending/members-now.ts';
