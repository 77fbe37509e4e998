import { expect, test } from 'vitest';
import { readView, viewSearch } from './view-search.ts';

test.each([
  [{}, ''],
  [{ tags: 'vip,new york', search: 'ada', page: 3, edit: 4 }, 'search=ada&tags=vip%2Cnew+york'],
  [{ segment_id: 5, order: undefined, cols: 'id.name' }, 'cols=id.name&segment_id=5'],
  [{ search: '"é" & 1+1=2', message: 9 }, 'search=%22%C3%A9%22+%26+1%2B1%3D2'],
])('the view of %j is “%s”, and reads as that again', (search, expected) => {
  expect(viewSearch(search)).toBe(expected);
  expect(viewSearch(readView(expected))).toBe(expected);
});
