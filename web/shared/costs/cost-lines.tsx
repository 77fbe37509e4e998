import type { Amount, CostEstimate } from '#contracts/costs.ts';
import { countryName } from '../number-field/country-name.ts';

export const amountsText = (amounts: readonly Amount[]): string =>
  amounts.map(({ currency, amount }) => `${currency} ${amount}`).join(' and ');

/** Messages of the official API by country and category, each with its price. */
export function CostLines({ lines }: { lines: CostEstimate['lines'] }) {
  return (
    <ul aria-label="By country and category" className="divide-y border-t text-13">
      {lines.map(({ country, category, count, price }) => (
        <li
          key={`${country} ${category} ${price?.currency} ${price?.amount}`}
          className="flex justify-between gap-4 px-4 py-2 tabular-nums sm:px-5"
        >
          <span>
            {country === null ? 'Country not known' : countryName(country)}{' '}
            <span className="text-muted">· {category.replaceAll('_', ' ')}</span>
          </span>
          <span>
            {count.toLocaleString('en')}{' '}
            <span className="text-muted">
              {price === null ? 'no price known' : `at ${price.currency} ${price.amount}`}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
