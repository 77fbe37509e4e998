import type { CampaignStatus } from '#contracts/campaigns.ts';
import { listSearch } from '#web/shared/table/list-search.ts';
import type { SortOrder } from '#web/shared/table/sorting.ts';

export const campaignStatuses = [
  'scheduled',
  'creating',
  'running',
  'paused',
  'completed',
  'failed',
  'cancelled',
] as const satisfies readonly CampaignStatus[];

const campaignSorts = ['created', 'name', 'status', 'progress'] as const;
export type CampaignSort = (typeof campaignSorts)[number];

/** The order that a column takes at first. */
export const firstOrders: Readonly<Record<CampaignSort, SortOrder>> = {
  created: 'desc',
  name: 'asc',
  status: 'asc',
  progress: 'desc',
};

/** `copy`: the campaign that a new one begins as; `edit`: of addresses from before editors had their own. */
export const campaignSearch = listSearch(campaignSorts, {
  status: campaignStatuses,
  project_id: 'id',
  segment_id: 'id',
  copy: 'id',
  edit: 'id',
});
export type CampaignSearch = ReturnType<typeof campaignSearch>;
