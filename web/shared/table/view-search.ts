/** Parameters of the moment: a page, a dialog or a drawer that is open. */
const passing = new Set(['page', 'edit', 'deliveries', 'sent', 'message']);

/** The part of an address that is a view, always spelled in the same way. */
export function viewSearch(search: Record<string, unknown>): string {
  const kept = Object.entries(search)
    .filter(([key, value]) => !passing.has(key) && ['string', 'number', 'boolean'].includes(typeof value))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => [key, String(value)]);
  return new URLSearchParams(kept).toString();
}

/** The other way; a page's own `validateSearch` reads the values. */
export const readView = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search));
