import type { RecipientStatus } from '#contracts/campaigns.ts';
import { pagesInUrl } from '#web/shared/table/page-in-url.ts';

export const rowStatuses: readonly RecipientStatus[] = ['waiting', 'pending', 'sent', 'failed', 'skipped'];

/** What the rows of a run show, as the URL keeps it. */
export type RowSearch = {
  /** From 2 on. */
  page?: number;
  status?: RecipientStatus;
};

const pages = pagesInUrl('page');

/** A route's `validateSearch`: what it does not know is left out. */
export function rowSearch(search: Record<string, unknown>): RowSearch {
  const status = rowStatuses.find((known) => known === search['status']);
  return { ...pages(search), ...(status && { status }) };
}
