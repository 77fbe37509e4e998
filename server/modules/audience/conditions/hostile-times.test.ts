import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Condition } from '#contracts/conditions.ts';
import type { AccountContext } from '#server/context.ts';
import type { ProfileRow } from '#server/modules/audience/profiles/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUp } from '#tests/support/customer.ts';
import { questionOf } from './index.ts';

const plain = '2024-02-28T13:45:30.123Z';
const twoDigits = ['00', '01', '12', '13', '23', '24', '28', '29', '30', '31', '32', '59', '60', '99'];
const noDigits = [
  ' 1',
  '+1',
  '-1',
  '1 ',
  '1-',
  '1x',
  'xx',
  '\t1',
  '\n1',
  '.1',
  ':1',
  '\u0661\u0662',
  '\u{1F4C5}1',
  '__',
];
const each = [...twoDigits, ...noDigits];

/** Each time replaces a part of a plain one; the rest has another form. */
const times = [
  ...each.flatMap((part) => [
    plain.replace('-02-', `-${part}-`),
    plain.replace('28T', `${part}T`),
    plain.replace('T13', `T${part}`),
    plain.replace(':45:', `:${part}:`),
    plain.replace(':30.', `:${part}.`),
    plain.replace('.123', `.${part}3`),
    plain.replace('.123', `.1${part}`),
  ]),
  ...[
    '0000',
    '0024',
    '0999',
    '1000',
    '1900',
    '2023',
    '2100',
    '9999',
    '+024',
    '-024',
    ' 024',
    '2 24',
    '2:24',
    '20-4',
    '202-',
    '294277',
    '-2024',
  ].flatMap((year) => [plain.replace('2024', year), plain.replace('2024-02-28', `${year}-02-29`)]),
  ...['T', 't', ' ', 'x', ''].map((separator) => plain.replace('T', separator)),
  ...['Z', 'z', '', ' ', '+00:00', '+0000', '-07:30', '+14:59', '+15:00', '+99:00', '+00', ' UTC', '[UTC]'].map(
    (zone) => plain.replace('Z', zone),
  ),
  ...['', '.', '.1', '.12', '.1234', '.123456789', '.1234567890', ',123'].map((fraction) =>
    plain.replace('.123', fraction),
  ),
  '2024-02-28',
  '2024-02-30',
  '2024-2-28',
  '20240228T134530Z',
  '2024-W09-3',
  '2024-059',
  '24:00',
  'infinity',
  '-infinity',
  'epoch',
  'now',
  'today',
  'J2451187',
  'Feb 28 2024',
  '____-__-__T__:__:__.___Z',
  '',
  `${plain} `,
  ` ${plain}`,
  `${plain}\n`,
];
const others = [
  1_709_127_930_123,
  '1709127930123',
  -1,
  0.5,
  1e21,
  '999999999999999',
  '9999999999999999',
  true,
  null,
  [plain],
  { at: plain },
];
const stored: readonly unknown[] = [...times, ...others];

let app: TestApplication;
let ctx: AccountContext;
let profiles: ProfileRow[];

beforeAll(async () => {
  app = await startTestApplication();
  const { id } = await signUp(app.url);
  ctx = { ...app.ctx, account: { id, timezone: 'UTC' } };
  const rows = stored.map((at, index) => ({
    account_id: id,
    phone: String(14_155_550_000 + index),
    phone_given: 'as given',
    calling_code: '1',
    national_number: String(4_155_550_000 + index),
    phone_is_valid: true,
    name: typeof at === 'string' ? at : null,
    custom_fields: JSON.stringify({ at, inner: { at } }),
    status: 'active',
    created_at: new Date(),
    updated_at: new Date(),
  }));
  await ctx.db.insertInto('profiles').values(rows).execute();
  profiles = await ctx.db.selectFrom('profiles').selectAll().where('account_id', '=', id).orderBy('id').execute();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const thresholds = [
  plain,
  '2024-02-28T13:45:30.122Z',
  '2024-02-28T13:45:30.124Z',
  '0500-01-01T00:00:00.000Z',
  '1970-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
];

test.each(['custom_fields.at', 'custom_fields.inner.at', 'name'])(
  'of %s what is no time matches neither before nor after, and every time as it says',
  async (fieldPath) => {
    const seen = new Set<unknown>();
    for (const threshold of thresholds) {
      for (const operator of ['before_hours_ago', 'after_hours_ago'] as const) {
        const condition: Condition = { fieldPath, operator, value: '0' };
        const now = new Date(threshold);
        const question = questionOf(condition);
        const moment = { accountId: 1, now, timezone: 'UTC' };
        const { rows } = await sql<{ id: number }>`
          select id from profiles where profiles.account_id = ${ctx.account.id} and ${question.predicate(moment)} order by id
        `.execute(ctx.db);
        const ids = new Set(rows.map(({ id }) => id));
        const asked = { operator, threshold };
        const inMemory = profiles.filter((profile) => question.evaluate(profile, moment));
        const inDatabase = profiles.filter(({ id }) => ids.has(id));
        expect({ ...asked, times: inDatabase.map(atOf) }).toEqual({ ...asked, times: inMemory.map(atOf) });
        for (const profile of inDatabase) seen.add(atOf(profile));
      }
    }
    // Otherwise the test says little.
    expect(seen.size).toBeGreaterThan(40);
    expect(seen).not.toContain('2024-02-30');
  },
);

const atOf = (profile: ProfileRow) => profile.custom_fields?.['at'];
