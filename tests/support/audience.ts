import type pg from 'pg';
import { createSegment } from '#contracts/segments.ts';
import type { Segment } from '#contracts/segments.ts';
import type { Customer } from './customer.ts';

/**
 * So many valid profiles, `Person 1` with the number 14155551002 and so on: none ends as a number does that the sandbox
 * refuses or never delivers to. All have `custom_fields.group` 'all'; `tags` is SQL over the number `n`.
 */
export async function insertProfiles(
  database: pg.Pool,
  accountId: number,
  count: number,
  { tags = `'{}'::text[]` } = {},
): Promise<void> {
  await database.query(
    `insert into profiles (account_id, phone, phone_given, country_code, calling_code, national_number, phone_is_valid,
                           name, custom_fields, tags, status, created_at, updated_at)
     select $1, phone, phone, 'US', '1', substr(phone, 2), true, 'Person ' || n, '{"group": "all"}', ${tags}, 'active', now(), now()
       from generate_series(1, $2::int) n
      cross join lateral (select (14155550000 + (n - 1) / 9000 * 10000 + 1001 + (n - 1) % 9000 + 1)::text) as p (phone)
      order by n`,
    [accountId, count],
  );
}

export async function makeSegment({ api }: Customer, value = 'all', field = 'custom_fields.group'): Promise<Segment> {
  const condition = { fieldPath: field, operator: 'equals', value } as const;
  const { body } = await api.call(createSegment, { body: { name: `Group ${value}`, condition } });
  return body;
}
