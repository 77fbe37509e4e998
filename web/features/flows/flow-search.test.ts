import { expect, test } from 'vitest';
import { flowSearch } from './flow-search.ts';

test.each<[Record<string, unknown>, object]>([
  [{}, {}],
  [{ edit: 3 }, { edit: 3 }],
  [{ edit: '3' }, { edit: 3 }],
  [{ edit: -1 }, {}],
  [{ edit: 'x', page: 1 }, {}],
  [{ deliveries: 4 }, { deliveries: 4 }],
  [
    { deliveries: 4, sent: 2, page: 3 },
    { deliveries: 4, sent: 2, page: 3 },
  ],
  [{ page: 1_000_001 }, {}],
  [
    { search: 12, active: true, sort: 'last_run', order: 'asc', project_id: '3' },
    { search: '12', active: 'true', sort: 'last_run', order: 'asc', project_id: 3 },
  ],
  [{ active: 'maybe', sort: 'id', order: 'up', project_id: 'x', cols: '<b>' }, {}],
])('%j is read as %j', (search, shown) => {
  expect(flowSearch(search)).toEqual(shown);
});
