import { expect, test } from 'vitest';
import { sampleCarried } from '#web/testing/samples.ts';
import type { Contact } from './csv/contact.ts';
import { unknownPlaceholders } from './fill-message.ts';
import { firstSetup, isComplete } from './run/setup.ts';
import { warnRows } from './warn-rows.ts';

const contact = (row: number, part: Partial<Contact> = {}): Contact => ({
  row,
  country_code: '1',
  phone: `41555501${row}`,
  name: 'Ada',
  shop: 'North',
  fields: { name: part.name ?? 'Ada', shop: part.shop ?? 'North' },
  to: `141555501${row}`,
  ...part,
});

test('warns of placeholders that stay empty, and only of those in the message', () => {
  const rows = [contact(10), contact(11, { shop: '' }), contact(12, { name: '', shop: '' })];
  expect(warnRows('Hi {name} of {shop}', rows)).toEqual([
    '{name} is empty in 1 selected row.',
    '{shop} is empty in 2 selected rows.',
  ]);
  expect(warnRows('Hi {Name|there} of {shop|us}', rows)).toEqual([]);
  expect(warnRows('Hi', rows)).toEqual([]);
});

test('warns of numbers that are listed more than once', () => {
  expect(warnRows('Hi', [contact(10), contact(11, { to: contact(10).to })])).toEqual([
    '1 selected row has a number that another row has too: it gets the message more than once.',
  ]);
});

test.each([
  ['Hi {name} of {shop}', []],
  ['Hi {nmae}', ['{nmae}']],
  ['Hi {Name} and { name }, {Order No}', []],
  ['Hi {custom_fields.plan}, {plan|free}', ['{custom_fields.plan}']],
  ['{} {\n}', []],
])('in %j the unknown placeholders are %j', (message, unknown) => {
  expect(unknownPlaceholders(message, ['phone', 'order no'])).toEqual(unknown);
});

const bound = (text: string, instead = '') => ({
  name: 'order_ready',
  language: 'en_GB',
  business_account_id: '104',
  variables: { first_name: { text, default: instead } },
  header: null,
  header_media: null,
});

test.each([
  [{}, true],
  [{ delay: '' }, false],
  [{ delay: '-5' }, false],
  [{ delay: 'soon' }, false],
  [{ message: 'Hi {nmae}' }, false],
  [{ message: ' ' }, false],
  [{ message: '', media: sampleCarried() }, true],
  [{ message: 'x'.repeat(1025), media: sampleCarried() }, false],
  [{ projectId: '' }, false],
  [{ kind: 'template' as const }, false],
  [{ kind: 'template' as const, message: '', template: bound('{name}') }, true],
  [{ kind: 'template' as const, message: '', template: bound('{nmae}') }, false],
  [{ kind: 'template' as const, message: '', template: bound('{nmae}', 'you') }, true],
  [{ kind: 'template' as const, message: '', template: bound(' ') }, false],
])('a setup with %j makes a run: %j', (part, isRun) => {
  expect(isComplete({ ...firstSetup, projectId: '3', delay: '0', message: 'Hi {name}', ...part }, [])).toBe(isRun);
});
