import { expect, test } from 'vitest';
import { flowSearch } from './flow-search.ts';

test.each<[Record<string, unknown>, object]>([
  [{}, {}],
  [{ edit: 3 }, { edit: 3 }],
  [{ edit: '3' }, { edit: 3 }],
  [{ edit: -1 }, {}],
  [{ edit: 'x', page: 2 }, {}],
  [{ deliveries: 4 }, { deliveries: 4 }],
  [
    { deliveries: 4, page: 2 },
    { deliveries: 4, page: 2 },
  ],
  [{ deliveries: 4, page: 1 }, { deliveries: 4 }],
  [{ deliveries: 4, page: 1_000_001 }, { deliveries: 4 }],
  [{ edit: 3, deliveries: 4 }, { edit: 3 }],
])('%j is read as %j', (search, shown) => {
  expect(flowSearch(search)).toEqual(shown);
});
