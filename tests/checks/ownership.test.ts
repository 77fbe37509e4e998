import { expect, test } from 'vitest';
import { findForeignReads, findForeignWrites } from '../../scripts/ownership/check-ownership.ts';
import { parse } from '../../scripts/ownership/declarations.ts';

const sound = {
  'server/platform/db/notify.ts': `export const notify = (channel: string) => ({ text: 'select pg_notify($1)', channel });\n`,
  'server/modules/identity/billing/index.ts': `export { billingChannel } from './channels.ts';\nimport './pay.ts';\n`,
  'server/modules/identity/billing/tables.ts': `export type BillingTables = { plans: { id: number }; payments: { id: number } };\n`,
  'server/modules/identity/billing/channels.ts': `export const billingChannel = 'dovepost_billing';\n`,
  'server/modules/identity/billing/pay.ts': [
    `import { billingChannel } from './channels.ts';`,
    `export const notifications = [{ channel: billingChannel, payload: '' }];`,
    'export const write = `update payments p set id = 1`;',
    `export const add = (db: { insertInto(table: string): void }) => db.insertInto('payments as p');`,
  ].join('\n'),
  'server/modules/messaging/messages/index.ts': `import './send-message.ts';\n`,
  'server/modules/messaging/messages/send-message.ts': '',
};

/** With this in the place of the file in which messages are sent. */
function faultsWith(files: Record<string, string>): string[] {
  return findForeignWrites(Object.entries({ ...sound, ...files }).map(([path, text]) => parse(path, text)));
}

const sendMessage = 'server/modules/messaging/messages/send-message.ts';

test.each([
  ['reads', 'export const text = `select * from payments for update skip locked`;'],
  ['mentions in a sentence', `export const text = 'Update the payments';`],
  [
    'listens to',
    `import { billingChannel } from '#server/modules/identity/billing/index.ts';\nexport const a = { [billingChannel]: 1 };`,
  ],
])('a module may belong to another when a file only %s it', (_, source) => {
  expect(faultsWith({ [sendMessage]: source })).toEqual([]);
});

test.each([
  ['by Kysely', `export const a = (db: any) => db.updateTable('payments as p');`, '1 writes payments, which is of'],
  ['by deletion', `export const a = (db: any) => db\n  .deleteFrom('plans');`, '1 writes plans, which is of'],
  ['by SQL', 'export const a = `insert into payments (id) values (1)`;', '1 writes payments, which is of'],
  [
    'in a statement among others',
    'export const a = `with gone as (delete from plans returning id) select ${1}`;',
    '1 writes plans, which is of',
  ],
  ['by a name that is given', 'export const a = (t: string) => `update ${t} set id = 1`;', '1 writes a table that it'],
  [
    'without an owner',
    `export const a = (db: any) => db.insertInto('nobodys');`,
    '1 writes nobodys, which is of nobody',
  ],
  [
    'by another module\u2019s channel',
    `import { billingChannel } from '#server/modules/identity/billing/index.ts';\nexport const a = { channel: billingChannel };`,
    '2 names billingChannel',
  ],
  [
    'by another module\u2019s channel in SQL',
    `import { billingChannel } from '#server/modules/identity/billing/index.ts';\nexport const a = \`pg_notify(\${billingChannel}, '')\`;`,
    '2 names billingChannel',
  ],
  ['by the name of a channel', `export const a = 'dovepost_billing';`, '1 names dovepost_billing'],
])('a write or a notification %s is found', (_, source, fault) => {
  expect(faultsWith({ [sendMessage]: source })).toEqual([expect.stringContaining(`${sendMessage}:${fault}`)]);
});

test('an exception that is no longer needed is a fault', () => {
  const path = 'server/modules/identity/billing/refresh-subscription.ts';
  expect(faultsWith({ [path]: '' })).toEqual([`${path} does not write accounts: end its exception`]);
});

test('a house without declarations does not pass', () => {
  expect(findForeignWrites([parse(sendMessage, '')])).toEqual(['No tables or no channels are declared.']);
});

const readsOf = (source: string, permitted: Record<string, string[]>) =>
  findForeignReads(
    Object.entries({ ...sound, [sendMessage]: source }).map(([path, text]) => parse(path, text)),
    permitted,
  );

test.each([
  ['by SQL', 'export const a = `select id from payments p`;'],
  ['in a join', 'export const a = `select ${1} from x join payments p on true`;'],
  ['by Kysely', `export const a = (db: any) => db.selectFrom('payments as p');`],
  ['by Kysely in a join', `export const a = (db: any) => db.selectFrom('x').leftJoin('payments as p', 'a', 'b');`],
])('a read of another module\u2019s table %s is a fault unless it is listed', (_, source) => {
  expect(readsOf(source, {})).toEqual([`${sendMessage}:1 reads payments, which readers.ts does not list for messages`]);
  expect(readsOf(source, { payments: ['messages'] })).toEqual([]);
});

test('a sentence about a table is no read, and a listed read that is gone is a fault', () => {
  expect(readsOf(`export const a = 'Removed from payments';`, { payments: ['messages'] })).toEqual([
    'readers.ts lists a reading that is gone: messages payments',
  ]);
});
