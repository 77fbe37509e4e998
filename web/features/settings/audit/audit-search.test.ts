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
});
