/** The page and the filters of the price list, in the URL. */
export type PriceSearch = { page?: number; country?: string; category?: string };

/** A route's `validateSearch`: unknown values are left out. */
export function priceSearch(search: Record<string, unknown>): PriceSearch {
  const page = Number(search['page']);
  const { country, category } = search;
  return {
    ...(Number.isInteger(page) && page > 1 && page <= 1000 && { page }),
    ...(typeof country === 'string' && /^([A-Z]{2}|\*)$/.test(country) && { country }),
    ...(typeof category === 'string' && /^[a-z_]{1,40}$/.test(category) && { category }),
  };
}
