import { expect, test } from 'vitest';
import { auditFilter, auditSearch } from './audit-search.ts';

test.each([
  [
    { target: 'campaign:12', actor: '7' },
    { target: 'campaign:12', actor: '7' },
  ],
  [
    { target: 'flow', actor: 'system' },
    { target: 'flow', actor: 'system' },
  ],
  [{ target: 'house:1', actor: 'nobody' }, {}],
  [{ target: 'campaign:x', actor: 12 }, { actor: '12' }],
  [{ days: 7 }, { days: 7 }],
  [{ days: 8 }, {}],
  [{ search: ' Alma removed ' }, { search: 'Alma removed' }],
  [{ search: ' ', from: '2026-13-40', to: 'never' }, {}],
  [
    { from: '2026-11-01', to: '2026-11-20', days: 7 },
    { from: '2026-11-01', to: '2026-11-20' },
  ],
  [{ project: '3' }, { project: 3 }],
  [{ project: 'all' }, {}],
])('%j is read as %j', (search, read) => {
  expect(auditSearch(search)).toEqual(read);
});

test('days are a moment for the API', () => {
  expect(auditFilter({ actor: '7' })).toEqual({ actor: '7' });
  expect(auditFilter({ target: 'flow', project: 3, days: 7 }, Date.parse('2026-11-26T06:00:00Z'))).toEqual({
    target: 'flow',
    project_id: 3,
    created_after: '2026-11-19T06:00:00.000Z',
  });
  expect(auditFilter({ search: 'Alma', from: '2026-11-01', to: '2026-11-20' })).toEqual({
    search: 'Alma',
    created_after: new Date(2026, 10, 1).toISOString(),
    created_before: new Date(2026, 10, 21).toISOString(),
  });
});
