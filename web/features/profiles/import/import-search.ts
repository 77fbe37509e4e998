import type { ReportedRows, RowOutcome } from '#contracts/profile-imports.ts';
import { pagesInUrl } from '#web/shared/table/page-in-url.ts';

export const rowOutcomes: readonly RowOutcome[] = ['new', 'updated', 'skipped', 'invalid'];

/** Which import the page shows, and which of its rows, as the URL keeps it; without an outcome, what failed. */
export type ImportSearch = { id?: number; rows?: number; outcome?: ReportedRows | 'all' };

const pages = pagesInUrl('rows');

/** A route's `validateSearch`: what it does not know is left out. */
export function importSearch(search: Record<string, unknown>): ImportSearch {
  const id = Number(search['id']);
  const outcome = ([...rowOutcomes, 'noted', 'all'] as const).find((known) => known === search['outcome']);
  return { ...(Number.isSafeInteger(id) && id > 0 && { id }), ...pages(search), ...(outcome && { outcome }) };
}
