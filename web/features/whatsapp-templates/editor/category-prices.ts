import { queryOptions, useQuery } from '@tanstack/react-query';
import type { MessagePrice } from '#contracts/prices.ts';
import { callApi } from '#web/shared/api.ts';
import { countryName } from '#web/shared/number-field/country-name.ts';
import { useSession } from '#web/shared/session.ts';
import { useNow } from '#web/shared/use-now.ts';

const hourMs = 3_600_000;

/** The sign of all countries that have no price of their own. */
const others = '*';

const pricesOf = (country: string) =>
  queryOptions({
    queryKey: ['message-prices', country],
    queryFn: ({ signal }) =>
      callApi('GET /api/message-prices', { query: { country, page: 1, pageSize: 100 } }, { signal }),
  });

type CategoryPrices = {
  /** `EUR 0.052`; undefined where none is known. */
  priceOf: (category: string) => string | undefined;
  /** Where a message at these prices goes. */
  place: string;
};

/** The prices of a delivered message to the account's own country, by the account's price list. */
export function useCategoryPrices(): CategoryPrices {
  const country = useSession().user?.default_country ?? others;
  const { data: own } = useQuery(pricesOf(country));
  const { data: general } = useQuery({ ...pricesOf(others), enabled: country !== others });
  const today = new Date(useNow(hourMs)).toISOString().slice(0, 10);
  const isCurrent = ({ valid_from: from, valid_until: until }: MessagePrice) =>
    from <= today && (until === null || until >= today);
  return {
    priceOf(category) {
      const prices = [...(own?.data ?? []), ...(general?.data ?? [])];
      const found = prices.find((price) => price.category === category && isCurrent(price));
      return found && `${found.currency} ${found.price}`;
    },
    place: country === others ? 'a country without a price of its own' : countryName(country),
  };
}
