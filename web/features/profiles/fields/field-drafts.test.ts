import { expect, test } from 'vitest';
import { draftsOf, readDrafts, retyped, type DraftType, type FieldDraft } from './field-drafts.ts';

const fields = {
  plan: 'trial',
  seats: -3.5,
  installed: false,
  tags: ['a', { b: null }],
  nothing: null,
  '': 'no name is no name',
  ' x.y ': '',
};

test('reading drafts gives the values they were made from, whatever their type', () => {
  const named = Object.fromEntries(Object.entries(fields).filter(([name]) => name.trim() === name && name !== ''));
  expect(readDrafts(draftsOf(named))).toEqual({ fields: named });
});

test('nothing at all is null, and an empty line is no field', () => {
  expect(readDrafts([])).toEqual({ fields: null });
  expect(readDrafts([{ name: ' ', type: 'text', text: '' }])).toEqual({ fields: null });
});

test.each<[string, FieldDraft[], { index: number; message: string }]>([
  ['a value without a name', [{ name: '', type: 'text', text: 'x' }], { index: 0, message: 'Enter a name' }],
  ['no number', [{ name: 'a', type: 'number', text: 'x' }], { index: 0, message: 'Enter a number' }],
  ['an empty number', [{ name: 'a', type: 'number', text: '' }], { index: 0, message: 'Enter a number' }],
  ['broken JSON', [{ name: 'a', type: 'json', text: '{' }], { index: 0, message: 'Enter valid JSON' }],
  [
    'a name twice',
    [
      { name: 'a', type: 'text', text: '1' },
      { name: ' a', type: 'text', text: '2' },
    ],
    { index: 1, message: 'There is a field a already' },
  ],
])('%s is refused where it stands', (_, drafts, problem) => {
  expect(readDrafts(drafts)).toEqual({ problem });
});

test.each<[DraftType, string, DraftType, string]>([
  ['text', '12', 'number', '12'],
  ['text', 'yes', 'boolean', 'true'],
  ['text', 'maybe', 'boolean', 'false'],
  ['text', 'a "b"', 'json', String.raw`"a \"b\""`],
  ['json', '"a"', 'text', 'a'],
  ['json', '[1]', 'text', '[1]'],
  ['json', '12', 'number', '12'],
  ['number', '12', 'json', '12'],
  ['number', '', 'json', 'null'],
])('%s “%s” as %s is “%s”', (type, text, next, expected) => {
  expect(retyped({ name: 'a', type, text }, next)).toEqual({ name: 'a', type: next, text: expected });
});
