import type { Campaign } from '#contracts/campaigns.ts';
import type { SortOrder } from '#web/shared/table/sorting.ts';
import { campaignStatuses, type CampaignSearch, type CampaignSort } from './campaign-search.ts';

export const pageSize = 50;

/** The order that a column takes at first. */
export const firstOrders: Readonly<Record<CampaignSort, SortOrder>> = {
  created: 'desc',
  name: 'asc',
  status: 'asc',
  progress: 'desc',
};

const comparisons: Readonly<Record<CampaignSort, (one: Campaign, other: Campaign) => number>> = {
  created: (one, other) => one.id - other.id,
  name: (one, other) => one.name.localeCompare(other.name, 'en', { sensitivity: 'base', numeric: true }),
  status: (one, other) => campaignStatuses.indexOf(one.status) - campaignStatuses.indexOf(other.status),
  progress: (one, other) => sentShare(one) - sentShare(other),
};

/** Of everybody who was taken down, the part that the message went out to: 0 to 1. */
export function sentShare({ sent_count, total_count }: Campaign): number {
  return total_count === 0 ? 0 : sent_count / total_count;
}

/** The campaigns that a search finds, in its order; what compares equal stays newest first. */
export function findCampaigns(campaigns: readonly Campaign[], search: CampaignSearch): readonly Campaign[] {
  const { search: text = '', status, sort = 'created', order = firstOrders[sort] } = search;
  const sign = order === 'asc' ? 1 : -1;
  return campaigns
    .filter((campaign) => campaign.name.toLowerCase().includes(text.toLowerCase()))
    .filter((campaign) => status === undefined || campaign.status === status)
    .toSorted((one, other) => sign * comparisons[sort](one, other) || other.id - one.id);
}

/** One page of them; the last one in place of a page that is not there any more. */
export function pageOf<T>(items: readonly T[], wanted: number) {
  const page = Math.min(wanted, Math.max(1, Math.ceil(items.length / pageSize)));
  return { page, items: items.slice((page - 1) * pageSize, page * pageSize), total: items.length };
}
