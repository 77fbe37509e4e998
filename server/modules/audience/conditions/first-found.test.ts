import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { AccountContext } from '#server/context.ts';
import { startTestApplication } from '#tests/support/application.ts';
import { asOwner } from '#tests/support/as-owner.ts';
import { signUp } from '#tests/support/customer.ts';
import { firstFound, questionOf } from './index.ts';

const people = 60_000;
const matching = people / 10;

test('many are found by the index though the planner takes there to be more, few of many by a walk', async () => {
  await using app = await startTestApplication({ env: { ROLES: 'api' } });
  const { id } = await signUp(app.url);
  await app.ctx.pool.query(
    `insert into profiles (account_id, phone, phone_given, country_code, calling_code, national_number, phone_is_valid,
                           name, custom_fields, status, created_at, updated_at)
     select $1, phone, phone, 'US', '1', substr(phone, 2), true, 'Person ' || n,
            jsonb_build_object('installed', n % 10 = 0), 'active', now(), now()
       from generate_series(1, $2::int) n
      cross join lateral (select (14150000000 + n)::text as phone) as numbered`,
    [id, people],
  );
  await asOwner(app, 'analyze profiles');
  const ctx = { ...app.ctx, account: { id, timezone: 'UTC' }, actor: { type: 'system' } } as unknown as AccountContext;
  const question = questionOf({ fieldPath: 'custom_fields.installed', operator: 'equals', value: 'true' });
  const find = firstFound(ctx, question, sql`true`);
  if (!find) throw new Error('Indexes answer the question');
  const planOf = async (most: number) => {
    const stretch = await find({ after: 0, until: Number.MAX_SAFE_INTEGER, most });
    const { rows } = await sql<{ 'QUERY PLAN': unknown }>`explain (format json) ${stretch}`.execute(app.ctx.db);
    return JSON.stringify(rows);
  };
  // Where documents differ more than these, the planner guesses twice too many of so few.
  expect(await planOf(matching / 2.5)).toContain('profiles_by_fields');
  expect(await planOf(50)).not.toContain('profiles_by_fields');
});
