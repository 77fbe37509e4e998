import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { parseInt8 } from './pool.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ isMigrated: false });
});
afterAll(() => database.drop());

async function select(expression: string): Promise<unknown> {
  const { rows } = await database.pool.query<{ value: unknown }>(`select ${expression} as value`);
  return rows[0]?.value;
}

test.each<[string, unknown]>([
  ['9007199254740991::bigint', 9007199254740991],
  ['-1::bigint', -1],
  ["'{1,NULL,{3}}'::text", '{1,NULL,{3}}'],
  ["'{1,NULL,3}'::bigint[]", [1, null, 3]],
  [
    "'{{1,2},{3,4}}'::bigint[]",
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ['null::bigint', null],
  ["'2026-02-28T23:30:00.5+02'::timestamptz", new Date('2026-02-28T21:30:00.500Z')],
  ["'infinity'::timestamptz", Number.POSITIVE_INFINITY],
  ["'2026-02-28'::date", '2026-02-28'],
  [`'{"a":[1]}'::jsonb`, { a: [1] }],
])('%s is read as %j', async (expression, value) => {
  expect(await select(expression)).toEqual(value);
});

test('a bigint that a number cannot hold is refused, not rounded', async () => {
  expect(() => parseInt8('9007199254740992')).toThrow(RangeError);
  await expect(select('9007199254740992::bigint')).rejects.toThrow(RangeError);
  expect(await select('1')).toBe(1);
});
