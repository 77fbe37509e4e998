import { expect, test } from 'vitest';
import { checkoutSearch, isReturn, type CheckoutSearch } from './checkout-search.ts';

test.each<[Record<string, unknown>, CheckoutSearch, boolean]>([
  [{}, {}, false],
  [{ payments: 2 }, { payments: 2 }, false],
  [
    { subscription_id: 'I-BW452GLLEP1G', ba_token: 'BA-2M539689T3856352J', token: '2M539689T3856352J' },
    { subscription_id: 'I-BW452GLLEP1G' },
    true,
  ],
  [{ subscription_id: 12_345 }, { subscription_id: '12345' }, true],
  [{ subscription_id: ' ' }, {}, false],
  [{ cancelled: 1, subscription_id: 'I-BW452GLLEP1G', token: '2M5' }, { cancelled: 1 }, true],
  [{ cancelled: '' }, { cancelled: 1 }, true],
])('%j is read as %j', (search, expected, comesBack) => {
  const read = checkoutSearch(search);
  expect(read).toEqual(expected);
  expect(Object.keys(read)).toEqual(expect.arrayContaining(['cancelled', 'subscription_id']));
  expect(isReturn(checkoutSearch(search))).toBe(comesBack);
});
