import type { RecipientStatus } from '#contracts/campaigns.ts';
import { pagesInUrl } from '#web/shared/table/page-in-url.ts';

export const recipientStatuses: readonly RecipientStatus[] = ['waiting', 'pending', 'sent', 'failed', 'skipped'];

/** What the recipients of a campaign show, as the URL keeps it. */
export type RecipientSearch = {
  /** From 2 on. */
  page?: number;
  status?: RecipientStatus;
};

const pages = pagesInUrl('page');

/** A route's `validateSearch`: what it does not know is left out. */
export function recipientSearch(search: Record<string, unknown>): RecipientSearch {
  const status = recipientStatuses.find((known) => known === search['status']);
  return { ...pages(search), ...(status && { status }) };
}
