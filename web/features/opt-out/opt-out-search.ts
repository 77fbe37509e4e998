import type { SuppressionSource } from '#contracts/suppressions.ts';

const sources: readonly SuppressionSource[] = ['reply', 'user', 'api', 'import'];
const maxSearchLength = 40;

/** The state of the list of opted-out numbers in the URL. */
export type OptOutSearch = {
  /** Part of a number. */
  search?: string;
  by?: SuppressionSource;
};

/** A route's `validateSearch`: what it does not know is left out. */
export function optOutSearch(search: Record<string, unknown>): OptOutSearch {
  const given = search['search'];
  const text = (typeof given === 'string' || typeof given === 'number' ? String(given) : '').slice(0, maxSearchLength);
  const by = sources.find((known) => known === search['by']);
  return { ...(text !== '' && { search: text }), ...(by && { by }) };
}
