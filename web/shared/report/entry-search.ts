import type { EntryFilter } from '#contracts/campaigns.ts';
import { listSearch } from '../table/list-search.ts';

/** Listed here too: the contract's own list would bring the validator into every page. */
export const entryFilters = [
  'waiting',
  'pending',
  'sent',
  'delivered',
  'read',
  'replied',
  'clicked',
  'failed',
  'skipped',
] as const satisfies readonly EntryFilter[];

/** The state of the recipients of a campaign, the deliveries of a flow or the rows of a bulk run in the URL. */
export type EntrySearch = {
  /** From 2 on. */
  page?: number;
  search?: string;
  status?: EntryFilter;
};

const read = listSearch([], { status: entryFilters });

/** A route's `validateSearch`: what it does not know is left out. */
export function entrySearch(given: Record<string, unknown>): EntrySearch {
  const { page, search, status } = read(given);
  return { ...(page !== undefined && { page }), ...(search !== undefined && { search }), ...(status && { status }) };
}

/** The same entries on another page. */
export function onPage({ search, status }: EntrySearch, page: number): EntrySearch {
  return { ...(search !== undefined && { search }), ...(status && { status }), ...(page > 1 && { page }) };
}
