/** How many people a portfolio may write to first in 24 hours; null: as many as it likes. */
export type DailyLimit = { peoplePerDay: number | null };

/**
 * Reads `TIER_250`, `TIER_2K`, `TIER_UNLIMITED`, or a plain number. Undefined for anything else.
 * Source: developers.facebook.com/docs/whatsapp/messaging-limits.
 */
export function readLimit(value: unknown): DailyLimit | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    if (value === -1) return { peoplePerDay: null };
    return value > 0 ? { peoplePerDay: value } : undefined;
  }
  if (typeof value !== 'string') return undefined;
  if (value === 'TIER_UNLIMITED') return { peoplePerDay: null };
  const [, digits, thousands] = /^(?:TIER_)?(\d{1,9})(K?)$/.exec(value) ?? [];
  if (digits === undefined || Number(digits) === 0) return undefined;
  return { peoplePerDay: Number(digits) * (thousands === 'K' ? 1000 : 1) };
}
