import { expect, test } from 'vitest';
import { afterRefusal } from './after-refusal.ts';
import type { Tried } from './after-refusal.ts';

const nothing: Tried = { session: false, token: false, other: false };

test.each([
  ['475', 'lid', false, {}, ['capped']],
  ['429', 'lid', false, {}, ['busy']],
  ['500', 'pn', false, {}, ['busy']],
  ['503', 'pn', false, {}, ['busy']],
  ['463', 'lid', true, {}, ['restricted']],
  ['463', 'pn', true, {}, ['restricted']],
  ['463', 'lid', undefined, {}, ['restricted']],
  ['463', 'lid', false, {}, ['fresh_token', 'other_address', 'restricted']],
  ['463', 'pn', false, {}, ['other_address', 'fresh_token', 'restricted']],
  ['463', 'lid', false, { token: true, other: true }, ['restricted']],
  ['479', 'lid', false, {}, ['fresh_session', 'other_address', 'refused']],
  ['479', 'pn', false, {}, ['fresh_session', 'refused']],
  ['479', 'lid', false, { session: true, other: true }, ['refused']],
  ['400', 'lid', false, {}, ['refused']],
] as const)('error %s at the %s, locked: %s, tried: %o', (error, address, isLocked, tried, expected) => {
  expect(afterRefusal({ error, address, isLocked, tried: { ...nothing, ...tried } })).toEqual(expected);
});
