import type { EntryFilter } from '#contracts/campaigns.ts';
import { pagesInUrl } from '../table/page-in-url.ts';

/** Listed here too: the contract's own list would bring the validator into every page. */
export const entryFilters: readonly EntryFilter[] = ['waiting', 'pending', 'sent', 'replied', 'failed', 'skipped'];

/** What the recipients of a campaign, the deliveries of a flow or the rows of a bulk run show, as the URL keeps it. */
export type EntrySearch = {
  /** From 2 on. */
  page?: number;
  status?: EntryFilter;
};

const pages = pagesInUrl('page');

/** A route's `validateSearch`: what it does not know is left out. */
export function entrySearch(search: Record<string, unknown>): EntrySearch {
  const status = entryFilters.find((known) => known === search['status']);
  return { ...pages(search), ...(status && { status }) };
}
