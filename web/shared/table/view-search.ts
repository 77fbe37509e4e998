/** What is of the moment: a page, a dialog that is open. */
const passing = new Set(['page', 'edit', 'deliveries', 'sent']);

/** What of an address is a view, always spelled in one way. */
export function viewSearch(search: Record<string, unknown>): string {
  const kept = Object.entries(search)
    .filter(([key, value]) => !passing.has(key) && ['string', 'number', 'boolean'].includes(typeof value))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => [key, String(value)]);
  return new URLSearchParams(kept).toString();
}
