import { expect, test } from 'vitest';
import { findWarnings } from './find-warnings.ts';

const to = (first: number, known = 0) => [
  { contact: 'first' as const, count: first },
  { contact: 'known' as const, count: known },
];

test.each([
  ['Hello', 49, []],
  ['Hello', 50, ['identical_text']],
  ['Hello {name}', 50, []],
  ['See https://example.com/spring', 1, ['link']],
  ['See https://example.com/spring', 0, []],
  ['See https://example.com/spring', 50, ['identical_text', 'link']],
])('%j to %i first contacts warns of %j', (message, first, codes) => {
  expect(findWarnings({ message, groups: to(first, 1000) }).map(({ code }) => code)).toEqual(codes);
});

test.each(['www.example.de', 'Order at larkspur.shop/sale', 'wa.me/14155550100', 'HTTP://EXAMPLE.ORG', 'bit.ly/x'])(
  '%j holds a link',
  (message) => {
    expect(findWarnings({ message: `Hi {name}, ${message}`, groups: to(1) })).toEqual([
      { code: 'link', first_contacts: 1 },
    ]);
  },
);

test.each(['Write to ada@example.com', 'It is 10.30, see you at 4.5 km', 'Well...come in', 'e.g. this'])(
  '%j holds none',
  (message) => {
    expect(findWarnings({ message, groups: to(1) })).toEqual([]);
  },
);
