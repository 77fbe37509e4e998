import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Criteria } from '#contracts/expressions.ts';
import type { AccountContext } from '#server/context.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import { countOrEstimate, estimateCounts, walkMatching } from './index.ts';

const people = 6_000;
const third: Criteria = { field: 'custom_fields.plan', op: 'equals', value: 'pro' };
const ordered: Criteria = {
  event: 'Ordered',
  times: { op: '>=', n: 2 },
  where: [{ field: 'properties.total', op: 'gt', value: 50 }],
};

let app: TestApplication;
let ctx: AccountContext;

beforeAll(async () => {
  app = await startTestApplication();
  const { id } = await signUpSubscriber(app.url);
  ctx = { ...app.ctx, account: { id, timezone: 'UTC' }, actor: { type: 'system' } } as unknown as AccountContext;
  const { pool } = app.ctx;
  await pool.query(
    `insert into profiles (account_id, phone, phone_given, country_code, calling_code, national_number, phone_is_valid,
                           name, custom_fields, status, created_at, updated_at)
     select $1, (34613000000 + n)::text, '', 'ES', '34', (613000000 + n)::text, true, 'Person ' || n,
            jsonb_build_object('plan', (array['free', 'pro', 'team'])[1 + n % 3], 'visits', n), 'active', now(), now()
       from generate_series(1, $2::int) as n`,
    [id, people],
  );
  await pool.query(`insert into event_accounts (account_id) values ($1)`, [id]);
  await pool.query(
    `with named as (
       insert into event_names (account_id, name, first_at, last_at) values ($1, 'Ordered', now(), now()) returning id
     ), chosen as (select id from profiles where account_id = $1 and (custom_fields ->> 'visits')::int % 4 = 0)
     insert into events (account_id, profile_id, name_id, at, received_at, properties, bytes)
     select $1, chosen.id, named.id, now(), now(), '{"total": 60}', 200 from chosen, named, generate_series(1, 2)`,
    [id],
  );
});
afterAll(() => app[Symbol.asyncDispose]());

test('an estimate is near the count, the same each time, and names the newest that it met', async () => {
  const asked = [third, ordered, { all: [third, ordered] }, { not: third }];
  const found = await estimateCounts(ctx, asked, { limit: 3 });
  for (const [place, share] of [1 / 3, 1 / 4, 1 / 12, 2 / 3].entries()) {
    const { count = 0, unreadable } = found.estimates[place] ?? {};
    expect(Math.abs(count / people - share)).toBeLessThan(0.05);
    expect(count).toBe(Number(count.toPrecision(2)));
    expect(unreadable).toBe(0);
  }
  expect(found.newest).toEqual(found.newest.toSorted((one, other) => other - one));
  expect(found.newest).toHaveLength(3);
  expect(await estimateCounts(ctx, asked, { limit: 3 })).toEqual(found);
});

test('a count is exact in its time, and about as much after it', async () => {
  expect(await countOrEstimate(ctx, ordered)).toEqual({ count: people / 4, is_estimate: false });
  const { count, is_estimate: isEstimate } = await countOrEstimate(ctx, ordered, 1);
  expect(isEstimate).toBe(true);
  expect(Math.abs(count / people - 1 / 4)).toBeLessThan(0.05);
});

test('a walk finds a page of those who match, newest first, as the search does', async () => {
  const { rows } = await app.ctx.pool.query<{ id: number }>(
    `select id from profiles where account_id = $1 and (custom_fields ->> 'visits')::int % 4 = 0 order by id desc`,
    [ctx.account.id],
  );
  const ids = rows.map(({ id }) => id);
  const page = async (offset: number) => (await walkMatching(ctx, ordered, { limit: 50, offset })).map(({ id }) => id);
  expect(await page(0)).toEqual(ids.slice(0, 50));
  expect(await page(1_475)).toEqual(ids.slice(1_475));
});
