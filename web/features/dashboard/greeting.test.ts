import { expect, test } from 'vitest';
import { greeting, welcome } from './greeting.ts';

test.each([
  ['Maya Okafor', 9, 'Good morning, Maya'],
  ['  Maya', 12, 'Good afternoon, Maya'],
  [undefined, 18, 'Good evening'],
  ['', 4, 'Good evening'],
])('greets %j at %i', (name, hour, expected) => {
  expect(greeting(name, hour)).toBe(expected);
});

test('welcomes who is new, by name where there is one', () => {
  expect(welcome('Maya Okafor')).toBe('Welcome, Maya');
  expect(welcome(undefined)).toBe('Welcome');
});
