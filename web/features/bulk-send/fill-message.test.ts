import { expect, test } from 'vitest';
import { fillMessage } from './fill-message.ts';

test.each([
  ['Hi {name} of {shop}', { name: 'Ada', shop: 'North' }, 'Hi Ada of North'],
  ['{name}, {name}!', { name: 'Ada', shop: '' }, 'Ada, Ada!'],
  ['Hi {name}', { name: '', shop: '' }, 'Hi '],
  ['Hi {name}', { name: '{shop} $&', shop: 'North' }, 'Hi {shop} $&'],
  ['{email} stays', { name: 'Ada', shop: '' }, '{email} stays'],
])('%j with %j', (message, values, filled) => {
  expect(fillMessage(message, values)).toBe(filled);
});
