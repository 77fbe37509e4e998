import { isSimulated } from '#contracts/connectors.ts';
import type { ConnectorName } from '#contracts/connectors.ts';
import { noMaximumText } from '#contracts/phone-numbers.ts';
import { InvalidInputError } from '#server/platform/errors.ts';

/**
 * The column's value for a sandbox without a maximum: higher than any that can be given, and a number to the release
 * before.
 */
export const noDailyMaximum = 2_000_000_000;

const usualMaximum = 1000;

/** The column's value of a new phone. */
export const maximumOfNew = (connector: ConnectorName, asked: number | null | undefined): number =>
  asked ?? (isSimulated(connector) ? noDailyMaximum : usualMaximum);

/** The column's value of a changed one; undefined where it stays. Throws 422 for none on a real phone. */
export function changedMaximum(connector: ConnectorName, asked: number | null | undefined): number | undefined {
  if (asked !== null) return asked;
  if (!isSimulated(connector)) throw new InvalidInputError([{ path: 'max_daily_messages', message: noMaximumText }]);
  return noDailyMaximum;
}
