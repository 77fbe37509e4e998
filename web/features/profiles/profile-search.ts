import type { ProfileSort } from '#contracts/profiles.ts';
import type { SortOrder } from '#web/shared/table/sorting.ts';

const sorts: readonly ProfileSort[] = ['id', 'phone', 'name', 'created_at', 'updated_at'];
const orders: readonly SortOrder[] = ['asc', 'desc'];
const optOuts = ['true', 'false'] as const;
const maxSearchLength = 100;
const maxPage = 1_000_000;

/** What the table of profiles shows, as the URL keeps it. */
export type ProfileSearch = {
  /** From 2 on. */
  page?: number;
  /** Part of a name, a number or an email address. */
  search?: string;
  sort?: ProfileSort;
  order?: SortOrder;
  /** Those who have opted out alone, or the others alone. */
  opted_out?: 'true' | 'false';
};

/** A route's `validateSearch`: what it does not know is left out. */
export function profileSearch(search: Record<string, unknown>): ProfileSearch {
  const page = Number(search['page']);
  const text = textOf(search['search']).slice(0, maxSearchLength);
  const sort = sorts.find((known) => known === search['sort']);
  const order = orders.find((known) => known === search['order']);
  const optedOut = optOuts.find((known) => known === textOf(search['opted_out']));
  return {
    ...(Number.isInteger(page) && page > 1 && page <= maxPage && { page }),
    ...(text !== '' && { search: text }),
    ...(sort && { sort }),
    ...(order && { order }),
    ...(optedOut && { opted_out: optedOut }),
  };
}

/** A number, or true, that is typed into the address is read as one. */
function textOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}
