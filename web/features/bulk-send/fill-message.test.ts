import { expect, test } from 'vitest';
import { fillMessage } from './fill-message.ts';

test.each([
  ['Hi {name} of {shop}', { name: 'Ada', shop: 'North' }, 'Hi Ada of North'],
  ['{name}, {name}!', { name: 'Ada', shop: '' }, 'Ada, Ada!'],
  ['Hi {name}', { name: '', shop: '' }, 'Hi '],
  ['Hi {name}', { name: '{shop} $&', shop: 'North' }, 'Hi {shop} $&'],
  ['{Order No} for {name|you}', { name: ' ', 'order no': '17' }, '17 for you'],
])('%j with %j', (message, values, filled) => {
  expect(fillMessage(message, values)).toBe(filled);
});
