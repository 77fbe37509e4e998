import type { Plan } from '#contracts/billing.ts';

/** `$9.99` */
export function formatPrice({ price, currency }: Pick<Plan, 'price'> & { currency: string }): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(price);
}
