import { pagesInUrl } from '#web/shared/table/page-in-url.ts';

export type CheckoutSearch = {
  /** The payer left the provider's page without agreeing. */
  cancelled?: 1 | undefined;
  /** The order that the payer comes back with. */
  subscription_id?: string | undefined;
  /** The page of the payment history. */
  payments?: number;
};

/**
 * How the payment provider sends the payer back. PayPal adds `subscription_id`, `ba_token` and `token` to both of the
 * addresses it was given, so that a cancellation names an order too.
 */
export function checkoutSearch(search: Record<string, unknown>): CheckoutSearch {
  const pages = pagesInUrl('payments')(search);
  // Named even when undefined: the router adds what the address holds wherever a key is missing.
  if (search['cancelled'] !== undefined) return { ...pages, cancelled: 1, subscription_id: undefined };
  return { ...pages, cancelled: undefined, subscription_id: textOf(search['subscription_id']) || undefined };
}

/** The router reads a value of digits alone as a number. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** Whether somebody comes back from the payment provider. */
export function isReturn({ cancelled, subscription_id: orderId }: CheckoutSearch): boolean {
  return cancelled !== undefined || orderId !== undefined;
}
