import type { CampaignStatus } from '#contracts/campaigns.ts';
import type { SortOrder } from '#web/shared/table/sorting.ts';

export const campaignStatuses: readonly CampaignStatus[] = [
  'scheduled',
  'creating',
  'running',
  'paused',
  'completed',
  'failed',
  'cancelled',
];

export const campaignSorts = ['created', 'name', 'status', 'progress'] as const;
export type CampaignSort = (typeof campaignSorts)[number];

/** What the campaigns page shows, as the URL keeps it. */
export type CampaignSearch = {
  /** From 2 on. */
  page?: number;
  /** Part of a name. */
  search?: string;
  status?: CampaignStatus;
  sort?: CampaignSort;
  order?: SortOrder;
  /** The campaign whose dialog is open. */
  edit?: number;
};

const orders: readonly SortOrder[] = ['asc', 'desc'];
const maxSearchLength = 120;

/** A route's `validateSearch`: what it does not know is left out. */
export function campaignSearch(search: Record<string, unknown>): CampaignSearch {
  const page = Number(search['page']);
  const edit = Number(search['edit']);
  const text = textOf(search['search']).slice(0, maxSearchLength);
  const status = campaignStatuses.find((known) => known === search['status']);
  const sort = campaignSorts.find((known) => known === search['sort']);
  const order = orders.find((known) => known === search['order']);
  return {
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
    ...(text !== '' && { search: text }),
    ...(status && { status }),
    ...(sort && { sort }),
    ...(order && { order }),
    ...(Number.isSafeInteger(edit) && edit > 0 && { edit }),
  };
}

/** A number typed into the address is read as one. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
