import { expect, test } from 'vitest';
import { merge } from './live-pages.ts';

type Item = { id: number; text: string };

const orderOf = ({ id }: Item) => id;
const item = (id: number, text = ''): Item => ({ id, text });
const known = (ids: number[], cursor: string | null) => ({ items: new Map(ids.map((id) => [id, item(id)])), cursor });
const page = (ids: number[], next_cursor: string | null) => ({ data: ids.map((id) => item(id, 'new')), next_cursor });
const idsOf = ({ items }: { items: ReadonlyMap<number, Item> }) => [...items.keys()].toSorted((a, b) => b - a);

test('an entry that slides off the first page stays', () => {
  const next = merge({ page: page([5, 4], '4'), older: undefined, before: known([4, 3], '3'), orderOf });
  expect(idsOf(next)).toEqual([5, 4, 3]);
  expect(next.cursor).toBe('3');
});

test('an entry missing from the span of the first page is gone from the list', () => {
  const next = merge({ page: page([6, 4], '4'), older: undefined, before: known([6, 5, 4, 3], '3'), orderOf });
  expect(idsOf(next)).toEqual([6, 4, 3]);
});

test('the first page has the last word on what it holds, and older pages say where they end', () => {
  const next = merge({ page: page([5, 4], '4'), older: known([4, 3, 2], '2'), before: known([5, 4], '4'), orderOf });
  expect(next.items.get(4)?.text).toBe('new');
  expect([idsOf(next), next.cursor]).toEqual([[5, 4, 3, 2], '2']);
});

test('after more news than a page holds, what lies beyond the gap is fetched anew', () => {
  const next = merge({ page: page([9, 8], '8'), older: known([4, 3], '3'), before: known([5, 4, 3], '3'), orderOf });
  expect([idsOf(next), next.cursor]).toEqual([[9, 8], '8']);
});

test('a first page without another is all there is', () => {
  const next = merge({ page: page([2], null), older: undefined, before: known([2, 1], '1'), orderOf });
  expect([idsOf(next), next.cursor]).toEqual([[2], null]);
});
