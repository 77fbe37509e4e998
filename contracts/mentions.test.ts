import { expect, test } from 'vitest';
import { findMentions } from './mentions.ts';

const people = [
  { id: 1, name: 'Grace Hopper' },
  { id: 2, name: 'Grace Kelly' },
  { id: 3, name: 'Inês Carvalho' },
  { id: 4, name: 'Al' },
];

test.each([
  ['a full name', 'See @Grace Hopper, please', [[1]]],
  ['a first name that two have', '@grace look', [[1, 2]]],
  ['a first name with an accent', 'thanks @INÊS!', [[3]]],
  ['a name at the end', 'and @al', [[4]]],
  ['two people', '@Al and @Inês Carvalho', [[4], [3]]],
  ['a longer word', '@Alan', []],
  ['an address', 'mail al@al.example', []],
  ['nobody known', '@Nobody @', []],
])('%s', (_, text, ids) => {
  expect(findMentions(text, people).map((mention) => mention.ids)).toEqual(ids);
});

test('where a name stands is said, and a text full of signs takes no time', () => {
  const [mention] = findMentions('Hi @Grace Kelly.', people);
  expect('Hi @Grace Kelly.'.slice(mention?.start, mention?.end)).toBe('@Grace Kelly');
  expect(findMentions('@al '.repeat(1_000), people)).toHaveLength(50);
});
