import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Condition } from '#contracts/conditions.ts';
import { customFieldPath, parseFieldPath, profileColumns } from '#contracts/field-path.ts';
import type { AccountContext } from '#server/context.ts';
import { isObject, valueAt } from '#server/modules/audience/profiles/index.ts';
import type { ProfileRow } from '#server/modules/audience/profiles/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUp } from '#tests/support/customer.ts';
import { createRandom } from '#tests/support/random.ts';
import { countCriteria, listMatching, questionOf } from './index.ts';

const seed = Number(process.env['SEED'] ?? 20_260_101);
const random = createRandom(seed);
const now = new Date(1_790_000_000_123);
const hourMs = 3_600_000;
const profileCount = 600;
const conditionCount = 1_200;

const keys = [
  'a',
  'b',
  'a.b',
  "it's",
  '"q"',
  '\\',
  String.raw`a\.b`,
  '',
  '0',
  'é 名',
  '%_',
  '$1',
  '{x}',
  'null',
  '\n',
  'constructor',
  '__proto__',
];
const texts = [
  '',
  ' ',
  'x',
  'X',
  "O'Hara",
  '"',
  '\\',
  '%',
  'true',
  'TRUE',
  'True',
  'FALSE',
  '+1 (415) 555-0003',
  '-5',
  'false',
  'null',
  '0',
  '10',
  '10.0',
  '010',
  '1e1',
  '-0',
  '0.1',
  '.5',
  '1e999',
  '[]',
  '{}',
];
const numbers = [0, -0, 1, 10, 0.1, -5, 1e21, 1e-7, 12_345_678_901, 9_007_199_254_740_991];
const spans = ['0', '1', '24', '0.5', '36', '2', '48'];

/** Around the times that the spans lead to, and on them to the millisecond. */
function timeValue(): unknown {
  const span = Number(random.pick(spans)) * random.pick([1, 24]) * hourMs;
  const at = new Date(now.getTime() - span + random.pick([0, 0, 1, -1, 1000, -hourMs, hourMs]));
  const iso = at.toISOString();
  return random.pick<unknown>([
    iso,
    at.getTime(),
    String(at.getTime()),
    iso.slice(0, 10),
    iso.slice(0, 19),
    iso.slice(0, 16),
    iso.slice(0, 19).replace('T', ' '),
    iso.replace('Z', '+00:00'),
    iso.replace('Z', '-0730'),
    iso.replace('Z', '999999Z'),
    iso.replace('Z', '+99:00'),
    iso.replace(/-\d\d-\d\d/, '-02-29'),
    iso.replace(/-\d\d-\d\d/, '-02-30'),
    iso.replace(/-\d\d-\d\d/, '-04-31'),
    iso.replace(/T\d\d/, 'T24'),
    iso.replace(/:\d\d\./, ':60.'),
    `${iso} `,
  ]);
}

function scalar(): unknown {
  return random.pick<() => unknown>([
    () => random.pick(texts),
    () => random.pick(numbers),
    () => random.pick([true, false, null]),
    timeValue,
  ])();
}

function value(depth: number): unknown {
  if (depth > 0 && random.chance(0.35)) return object(depth);
  if (random.chance(0.08)) return [scalar(), { a: scalar() }];
  if (random.chance(0.08)) return random.pick([[scalar(), scalar()], [[scalar()]], []]);
  return scalar();
}

/** By way of JSON, so that `__proto__` is a key of its own. */
function object(depth: number): Record<string, unknown> {
  const entries = Array.from({ length: random.below(5) }, () => [random.pick(keys), value(depth - 1)] as const);
  const unique = new Map(entries);
  const json = [...unique].map(([key, inner]) => `${JSON.stringify(key)}:${JSON.stringify(inner)}`).join(',');
  return JSON.parse(`{${json}}`) as Record<string, unknown>;
}

function pathsOf(fields: unknown, outer: readonly string[] = []): string[][] {
  if (!isObject(fields)) return [];
  return Object.entries(fields).flatMap(([key, inner]) => [[...outer, key], ...pathsOf(inner, [...outer, key])]);
}

const optional = (choices: readonly string[]) => (random.chance(0.3) ? null : random.pick(choices));

function profileValues(index: number, accountId: number) {
  const at = (text: unknown) => new Date(typeof text === 'number' ? text : now.getTime() - random.below(100) * hourMs);
  return {
    account_id: accountId,
    phone: String(14_155_550_000 + index),
    phone_given: 'as given',
    country_code: optional(['US', 'CA']),
    calling_code: '1',
    national_number: String(4_155_550_000 + index),
    phone_is_valid: random.chance(0.9),
    name: optional(texts.filter((text) => text !== '')),
    email: optional(['a@example.com', 'A@example.com']),
    custom_fields: random.chance(0.1) ? null : JSON.stringify(object(3)),
    status: random.pick(['active', 'inactive', '10']),
    created_at: at(timeValue()),
    updated_at: at(timeValue()),
  };
}

function fieldPath(profiles: readonly ProfileRow[]): string {
  if (random.chance(0.25)) return random.pick(profileColumns);
  const known = random.chance(0.85) ? pathsOf(random.pick(profiles).custom_fields) : [];
  if (known.length > 0) return customFieldPath(random.pick(known));
  return customFieldPath(Array.from({ length: 1 + random.below(3) }, () => random.pick(keys)));
}

/** The text of a random member, where a condition can ask for it. */
function memberText(list: readonly unknown[]): string {
  const member = list.length > 0 ? random.pick(list) : '';
  return typeof member === 'string' ? member : (JSON.stringify(member) ?? '');
}

function storedText(profile: ProfileRow, path: string): string {
  const field = parseFieldPath(path);
  const own = field?.kind === 'column' ? profile[field.column] : undefined;
  const stored: unknown = field?.kind === 'custom' ? valueAt(profile.custom_fields, field.keys) : own;
  if (stored instanceof Date) return stored.toISOString();
  if (Array.isArray(stored) && random.chance(0.8)) return memberText(stored);
  return typeof stored === 'string' ? stored : (JSON.stringify(stored) ?? '');
}

function condition(profiles: readonly ProfileRow[]): Condition {
  const path = fieldPath(profiles);
  const operator = random.pick(['equals', 'equals', 'not_equals', ...Condition.shape.operator.options] as const);
  const text = random.chance(0.7) ? storedText(random.pick(profiles), path) : random.pick(texts);
  return { fieldPath: path, operator, value: operator.endsWith('_ago') ? random.pick(spans) : text };
}

let app: TestApplication;
let ctx: AccountContext;
let profiles: ProfileRow[];

beforeAll(async () => {
  app = await startTestApplication({ clock: { now: () => now } });
  const [own, other] = [await signUp(app.url), await signUp(app.url)];
  ctx = { ...app.ctx, account: { id: own.id, timezone: 'UTC' } };
  for (const accountId of [own.id, other.id]) {
    const rows = Array.from({ length: profileCount }, (_, index) => profileValues(index, accountId));
    await ctx.db.insertInto('profiles').values(rows).execute();
  }
  // Updates and deletions must leave the catalogue right as well.
  await sql`update profiles set custom_fields = ${JSON.stringify(object(2))}::jsonb, name = null where id % 7 = 0`.execute(
    ctx.db,
  );
  await sql`delete from profiles where id % 11 = 0`.execute(ctx.db);
  profiles = await ctx.db.selectFrom('profiles').selectAll().where('account_id', '=', own.id).execute();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const moment = { accountId: 1, now, timezone: 'UTC' };

const idsInMemory = (each: Condition) =>
  profiles
    .filter((profile) => questionOf(each).evaluate(profile, moment) === true)
    .map(({ id }) => id)
    .toSorted((a, b) => b - a);

async function idsInDatabase(each: Condition): Promise<number[]> {
  const predicate = questionOf(each).predicate(moment);
  const { rows } = await sql<{ id: number }>`
    select id from profiles where profiles.account_id = ${ctx.account.id} and ${predicate} order by id desc
  `.execute(ctx.db);
  return rows.map(({ id }) => id);
}

describe(`over random profiles and conditions (SEED=${seed})`, () => {
  test('SQL and memory agree on who matches, and so do the count and the page', async () => {
    let matched = 0;
    for (let index = 0; index < conditionCount; index += 1) {
      const each = Condition.parse(condition(profiles));
      const expected = idsInMemory(each);
      const actual = await idsInDatabase(each);
      if (expected.length > 0 && expected.length < profiles.length) matched += 1;
      expect({ each, ids: actual }).toEqual({ each, ids: expected });
      const count = await countCriteria(ctx, each);
      expect({ each, count }).toEqual({ each, count: expected.length });
      if (index % 5 > 0) continue;
      const page = await listMatching(ctx, each, { limit: 5, offset: 2, count });
      expect({ each, page: page.map(({ id }) => id) }).toEqual({ each, page: expected.slice(2, 7) });
    }
    // Otherwise the test says little.
    expect(matched).toBeGreaterThan(conditionCount / 3);
  });

  test('the index finds the same as reading every profile', async () => {
    await ctx.db.transaction().execute(async (db) => {
      await sql`set local enable_seqscan = off`.execute(db);
      await sql`set local enable_indexscan = off`.execute(db);
      for (let index = 0; index < 300; index += 1) {
        const each = { ...condition(profiles), operator: 'equals' as const };
        const predicate = questionOf(each).predicate(moment);
        const { rows } = await sql<{ id: number }>`
          select id from profiles where profiles.account_id = ${ctx.account.id} and ${predicate} order by id desc
        `.execute(db);
        expect({ each, ids: rows.map(({ id }) => id) }).toEqual({ each, ids: idsInMemory(each) });
      }
    });
  });
});
