import { expect, test } from 'vitest';
import type { Expression } from '#contracts/expressions.ts';
import { expressionWords } from '#web/shared/conditions/expression-words.ts';
import { draftOf, expressionOfDraft, newLine, placedItems, replaced } from './draft.ts';

const vip: Expression = { field: 'tags', op: 'includes', value: 'vip' };

test.each<[string, Expression]>([
  ['Tags includes “vip” and is not in segment #4', { all: [vip, { not: { segment: 4 } }] }],
  [
    'Last order is more than 60 days ago or (Country is “ES” and Plan · name is one of “Pro”, “Team”)',
    {
      any: [
        { field: 'custom_fields.last_order', op: 'more_than_ago', n: 60, unit: 'days' },
        {
          all: [
            { field: 'country_code', op: 'equals', value: 'ES' },
            { field: 'custom_fields.plan.name', op: 'in', value: ['Pro', 'Team'] },
          ],
        },
      ],
    },
  ],
  [
    'not (E-mail is filled or Name is filled)',
    {
      not: {
        any: [
          { field: 'email', op: 'exists' },
          { field: 'name', op: 'exists' },
        ],
      },
    },
  ],
  [
    'did not read the latest campaign of the last 30 days',
    {
      all: [{ message: { of: 'campaign', last: true }, state: 'read', not: true, window: { last: 30, unit: 'days' } }],
    },
  ],
  ['read campaign #7', { all: [{ message: { of: 'campaign', id: 7 }, state: 'read' }] }],
  ['is in a share of 10 % by chance', { all: [{ bucket: { of: 100, from: 0, to: 10, salt: '' } }] }],
  [
    'not (is not in a share of 5 % by chance)',
    { all: [{ not: { not: { bucket: { of: 1000, from: 10, to: 60, salt: 'b' } } } }] },
  ],
])('%s: the form shows it, and says the same again', (words, expression) => {
  expect(expressionWords(expression)).toBe(words);
  const again = expressionOfDraft(draftOf(expression));
  expect(expressionWords(again).replaceAll(/[()]/g, '')).toBe(words.replaceAll(/[()]/g, ''));
  if (!words.startsWith('not (is')) expect(again).toEqual(expression);
});

test('a sentence calls its things by their names, as far as they are known', () => {
  const names = {
    segment: () => 'Lisbon',
    field: (path: string) => (path === 'custom_fields.plan' ? 'Tariff' : undefined),
    source: (of: string, id: number) => (of === 'campaign' && id === 7 ? 'Spring' : undefined),
  };
  const all: Expression[] = [
    { message: { of: 'campaign', id: 7 }, state: 'read' },
    { message: { of: 'flow', id: 7 }, state: 'read' },
    { field: 'custom_fields.plan', op: 'equals', value: 'trial' },
    { not: { field: 'custom_fields.plan', op: 'exists' } },
    { field: 'custom_fields.shop', op: 'exists' },
    { segment: 4 },
  ];
  expect(expressionWords({ all }, names)).toBe(
    'read the campaign “Spring” and read flow #7 and Tariff is “trial” and Tariff is empty and Shop is filled' +
      ' and is in the segment “Lisbon”',
  );
});

test('each part stands where the server names it', () => {
  const draft = draftOf({ not: { any: [vip, { not: { all: [vip] } }] } });
  const items = placedItems(draft, 'expression');
  expect(items.map(({ path }) => path)).toEqual(['expression.not.any.0', 'expression.not.any.1']);
  const inner = items[1]?.draft;
  expect(inner?.kind === 'group' && placedItems(inner, 'expression.not.any.1').map(({ path }) => path)).toEqual([
    'expression.not.any.1.not.all.0',
  ]);
});

test('a condition is replaced and removed, and a group that is empty goes with it', () => {
  const draft = draftOf({ all: [vip, { any: [{ segment: 3 }] }] });
  const inner = draft.items[1];
  const segment = inner?.kind === 'group' ? inner.items[0] : undefined;
  const other = replaced(draft, segment?.id ?? 0, newLine({ what: 'segment', segment: 5 }));
  expect(expressionOfDraft(other)).toEqual({ all: [vip, { any: [{ segment: 5 }] }] });
  expect(expressionOfDraft(replaced(draft, segment?.id ?? 0, undefined))).toEqual({ all: [vip] });
});
