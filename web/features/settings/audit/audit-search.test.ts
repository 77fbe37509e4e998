import { expect, test } from 'vitest';
import { auditSearch, valueText, wordsOf } from './audit-search.ts';

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
])('%j is read as %j', (search, read) => {
  expect(auditSearch(search)).toEqual(read);
});

test('an action reads as words, and values as a line', () => {
  expect(wordsOf('campaign.retry_failed')).toBe('Campaign retry failed');
  expect([null, true, 5, ['a']].map(valueText)).toEqual(['nothing', 'yes', '5', '["a"]']);
});
