import { expect, test } from 'vitest';
import { track } from '#contracts/events.ts';
import { startTestApplication } from '#tests/support/application.ts';
import { asOwner } from '#tests/support/as-owner.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';

/** A plan for all accounts goes by how large they are on average. */
const small = { accounts: 300, people: 20 };
const large = 20_000;
/** PostgreSQL plans a statement anew for its first five runs of a connection. */
const calls = 40;

test('an event of a large account beside many small ones reads no index of its people from end to end', async () => {
  await using app = await startTestApplication({ env: { ROLES: 'api' } });
  const customer = await signUpSubscriber(app.url);
  const { pool } = app.ctx;
  await pool.query(
    `insert into accounts (name, email, email_key, password_hash, api_key_hash, api_key_sealed)
     select 'Small', 'small-' || n, 'small-' || n, '', sha256(n::text::bytea), '' from generate_series(1, $1::int) n`,
    [small.accounts],
  );
  await pool.query(
    `insert into profiles (account_id, phone, phone_given, country_code, calling_code, national_number, phone_is_valid,
                           name, custom_fields, status, created_at, updated_at)
     select a.id, p.phone, p.phone, 'US', '1', substr(p.phone, 2), true, 'Person ' || n, '{}', 'active', now(), now()
       from accounts a
      cross join generate_series(1, $1::int) n
      cross join lateral (select (14150000000 + n)::text as phone) p
      where a.id = $2 or n <= $3::int`,
    [large, customer.id, small.people],
  );
  await asOwner(app, 'vacuum analyze profiles');
  const pagesRead = async () => {
    const { rows } = await pool.query<{ pages: number }>(
      `select (idx_blks_read + idx_blks_hit + heap_blks_read + heap_blks_hit)::int as pages
         from pg_statio_user_tables where relname = 'profiles'`,
    );
    return rows[0]?.pages ?? 0;
  };
  // Connections report what they have read once they have been idle for a second, or as they end.
  await pool.query('select pg_stat_force_next_flush()');
  const before = await pagesRead();
  for (let index = 1; index <= calls; index += 1) {
    const phone = `+${14_150_000_000 + index}`;
    await customer.api.call(track, { body: { phone, event: 'Viewed', properties: { index } } });
  }
  await expect.poll(async () => (await pagesRead()) - before).toBeGreaterThan(calls);
  expect(((await pagesRead()) - before) / calls).toBeLessThan(60);
});
