/** What the flows page shows, as the URL keeps it. */
export type FlowSearch = {
  /** The flow whose dialog is open. */
  edit?: number;
  /** The flow whose deliveries are open. */
  deliveries?: number;
  /** The page of its deliveries, from 2 on. */
  page?: number;
};

/** A route's `validateSearch`: what it does not know is left out. */
export function flowSearch(search: Record<string, unknown>): FlowSearch {
  const edit = positive(search['edit']);
  if (edit !== undefined) return { edit };
  const deliveries = positive(search['deliveries']);
  if (deliveries === undefined) return {};
  const page = positive(search['page']);
  return { deliveries, ...(page !== undefined && page > 1 && page <= 1_000_000 && { page }) };
}

function positive(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
