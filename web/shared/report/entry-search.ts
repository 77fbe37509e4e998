import type { EntryFilter } from '#contracts/campaigns.ts';
import type { EntryCode } from '#contracts/skip-codes.ts';
import { listSearch } from '../table/list-search.ts';

/** Listed here too: the contract's own list would bring the validator into every page. */
export const entryFilters = [
  'waiting',
  'pending',
  'sent',
  'delivered',
  'read',
  'clicked',
  'replied',
  'opted_out',
  'failed',
  'skipped',
] as const satisfies readonly EntryFilter[];

/** A figure of a report: the people whom it counts. Nothing: all of them. */
export type Figure = {
  status?: EntryFilter;
  /** With `reason`: people who failed or were skipped for this. */
  error_code?: EntryCode | 'none';
  reason?: string;
  /** The people who opened this link. */
  link?: string;
};

/** The state of the recipients of a campaign, the deliveries of a flow or the rows of a bulk run in the URL. */
export type EntrySearch = Figure & {
  /** From 2 on. */
  page?: number;
  search?: string;
};

const read = listSearch([], { status: entryFilters });

const longest = { reason: 1000, link: 2000 };

/** A route's `validateSearch`: what it does not know is left out. */
export function entrySearch(given: Record<string, unknown>): EntrySearch {
  const { page, search, status } = read(given);
  const { error_code: code, reason, link } = given;
  return {
    ...(page !== undefined && { page }),
    ...(search !== undefined && { search }),
    ...(status && { status }),
    ...(typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) && { error_code: code as EntryCode }),
    ...(isText(reason, longest.reason) && { reason }),
    ...(isText(link, longest.link) && { link }),
  };
}

const isText = (value: unknown, longestText: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= longestText;

/** The figure whose people are shown. */
export function figureOf({ status, error_code, reason, link }: EntrySearch): Figure {
  return {
    ...(status && { status }),
    ...(error_code && { error_code }),
    ...(reason !== undefined && { reason }),
    ...(link !== undefined && { link }),
  };
}

/** Whether all entries are shown, by neither a figure nor a search. */
export const isUnfiltered = (search: EntrySearch): boolean =>
  search.search === undefined && Object.keys(figureOf(search)).length === 0;

/** The same entries on another page. */
export function onPage({ search, ...entries }: EntrySearch, page: number): EntrySearch {
  return { ...(search !== undefined && { search }), ...figureOf(entries), ...(page > 1 && { page }) };
}
