import { expect, test } from 'vitest';
import { filterOf, messageSearch } from './message-search.ts';

test('misspelt values of the address are left out', () => {
  const given = {
    search: 4155550132,
    status: 'lost',
    type: 'image',
    from: '2026-02-31x',
    to: '2026-03-01',
    message: '7',
  };
  expect(messageSearch(given)).toEqual({ search: '4155550132', type: 'image', to: '2026-03-01', message: 7 });
});

test('both days are included', () => {
  const { created_after: after, created_before: before } = filterOf({ from: '2026-11-20', to: '2026-11-20' });
  expect(Date.parse(before ?? '') - Date.parse(after ?? '')).toBe(24 * 60 * 60_000);
});
