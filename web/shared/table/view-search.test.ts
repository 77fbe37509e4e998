import { expect, test } from 'vitest';
import { viewSearch } from './view-search.ts';

test.each([
  [{}, ''],
  [{ tags: 'vip,new york', search: 'ada', page: 3, edit: 4 }, 'search=ada&tags=vip%2Cnew+york'],
  [{ segment_id: 5, order: undefined, cols: 'id.name' }, 'cols=id.name&segment_id=5'],
])('of %j it is “%s”', (search, expected) => {
  expect(viewSearch(search)).toBe(expected);
});
