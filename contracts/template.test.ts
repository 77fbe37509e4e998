import { describe, expect, test } from 'vitest';
import { fillTemplate, placeholdersOf, placeholderUses, writePlaceholder } from './template.ts';

const values: Partial<Record<string, string>> = { name: 'Ada', blank: ' \n', odd: '{name} $&' };
const fill = (template: string) => fillTemplate(template, (path) => values[path]);

describe('a filled template', () => {
  test.each([
    ['Hi {name}', 'Hi Ada'],
    ['Hi { name }', 'Hi Ada'],
    ['Hi {name|there}', 'Hi Ada'],
    ['Hi {missing}!', 'Hi !'],
    ['Hi {missing|there}!', 'Hi there!'],
    ['Hi { missing | dear friend }!', 'Hi dear friend!'],
    ['Hi {blank|there}!', 'Hi there!'],
    ['Hi {blank}!', 'Hi  \n!'],
    ['{missing|}', ''],
    ['{missing|a|b}', 'a|b'],
    ['{missing|{name}}', '{missing|Ada}'],
    ['{odd}', '{name} $&'],
    ['{missing|$& $1}', '$& $1'],
    ['{}{\n}', '{}{\n}'],
  ])('%j reads %j', (template, text) => {
    expect(fill(template)).toBe(text);
  });
});

test('placeholders are named once each, with the default that each has', () => {
  const template = '{name} {shop|your shop} {name} { shop | your shop } {shop}';
  expect(placeholdersOf(template)).toEqual(['name', 'shop']);
  expect(placeholderUses(template).map(writePlaceholder)).toEqual(['{name}', '{shop|your shop}', '{shop}']);
});
