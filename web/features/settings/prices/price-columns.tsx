import type { MessagePrice } from '#contracts/prices.ts';
import { countryName } from '#web/shared/number-field/country-name.ts';
import { Flag } from '#web/shared/number-field/flag.tsx';
import type { Column } from '#web/shared/table/data-table.tsx';

export const allOthers = 'All other countries';

/** As Meta's price list has them. */
export const usualCategories = [
  'marketing',
  'utility',
  'authentication',
  'authentication_international',
  'service',
] as const;

/** `authentication_international` → `Authentication international` */
export function categoryName(category: string): string {
  const words = category.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const formatDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const dayOf = (date: string) => (
  <time dateTime={date} className="whitespace-nowrap">
    {formatDay.format(new Date(`${date}T00:00:00Z`))}
  </time>
);

export const priceColumns: readonly Column<MessagePrice>[] = [
  {
    id: 'country',
    header: 'Country',
    onCard: 'title',
    fluid: true,
    cell: ({ country }) =>
      country === '*' ? (
        <span className="font-medium">{allOthers}</span>
      ) : (
        <span className="inline-flex items-center gap-2 font-medium">
          <Flag country={country} />
          {countryName(country)}
        </span>
      ),
  },
  {
    id: 'category',
    header: 'Category',
    cell: ({ category }) => <span className="whitespace-nowrap">{categoryName(category)}</span>,
  },
  {
    id: 'price',
    header: 'Price',
    align: 'right',
    cell: ({ currency, price }) => (
      <span className="whitespace-nowrap tabular-nums">
        {currency} {price}
      </span>
    ),
  },
  { id: 'from', header: 'From', cell: ({ valid_from: from }) => dayOf(from) },
  {
    id: 'until',
    header: 'Until',
    cell: ({ valid_until: until }) =>
      until === null ? <span className="whitespace-nowrap text-muted">A later price</span> : dayOf(until),
  },
];
