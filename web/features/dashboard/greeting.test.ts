import { expect, test } from 'vitest';
import { greeting } from './greeting.ts';

test.each([
  ['Maya Okafor', 9, 'Good morning, Maya'],
  ['  Maya', 12, 'Good afternoon, Maya'],
  [undefined, 18, 'Good evening'],
  ['', 4, 'Good evening'],
])('greets %j at %i', (name, hour, expected) => {
  expect(greeting(name, hour)).toBe(expected);
});
