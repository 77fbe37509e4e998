import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { TimeZone } from '#contracts/accounts.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { migrate } from '../migrate.ts';
import { migrations } from './index.ts';

const put = '0965-places-of-time-zones';

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const ofThreeLetters = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));

/** The minutes of the day there, in both halves of a year. */
const clocksOf = (timeZone: string) =>
  ['2026-01-15T12:34:00Z', '2026-07-15T12:34:00Z'].map((at) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(new Date(at)),
  );

function isOfIntl(timeZone: string): boolean {
  try {
    return clocksOf(timeZone).length > 0;
  } catch {
    return false;
  }
}

test('a stored time zone that is no longer taken becomes the place that Intl means by it', async () => {
  const database = await createTestDatabase({ isMigrated: false });
  onTestFinished(database.drop);
  const { db, connectionString } = database;
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < put));
  await migrate(connectionString, { all: before });
  const taken = ['Europe/Vienna', 'europe/lisbon', 'utc', 'EST', 'EST5EDT', 'US/Pacific-New', 'pst', 'Aet'];
  const zones = [...taken, ...ofThreeLetters.filter(isOfIntl), 'ZZZ'];
  await sql`
    insert into accounts (name, email, email_key, password_hash, api_key_hash, api_key_sealed, timezone)
    select n::text, n || '@example.com', n || '@example.com', '', sha256(n::text::bytea), ''::bytea, zone
      from unnest(${zones}::text[]) with ordinality as z (zone, n)
  `.execute(db);
  await sql`
    insert into profiles (account_id, phone, phone_given, national_number, phone_is_valid, status, created_at, updated_at)
    select id, '14155550123', '14155550123', '4155550123', true, 'active', now(), now() from accounts
  `.execute(db);
  await sql`
    insert into profile_facts (account_id, profile_id, timezone)
    select p.account_id, p.id, a.timezone from profiles p join accounts a on a.id = p.account_id
  `.execute(db);

  await migrate(connectionString, { all: migrations });

  const { rows } = await sql<{ zone: string; fact: string; clocks: string[] }>`
    select a.timezone as zone, f.timezone as fact,
           array(select to_char(at at time zone a.timezone, 'YYYY-MM-DD HH24:MI')
                   from unnest('{2026-01-15T12:34:00Z,2026-07-15T12:34:00Z}'::timestamptz[]) as at) as clocks
      from accounts a join profile_facts f on f.account_id = a.id order by a.id
  `.execute(db);
  expect(rows.map(({ zone }) => zone).slice(0, taken.length)).toEqual([
    ...taken.slice(0, 5),
    'America/Los_Angeles',
    'America/Los_Angeles',
    'Australia/Sydney',
  ]);
  expect(rows.at(-1)?.zone).toBe('UTC');
  expect(rows.filter(({ zone }) => !TimeZone.safeParse(zone).success)).toEqual([]);
  expect(rows.map(({ fact }) => fact)).toEqual(rows.map(({ zone }) => zone));
  expect(rows.slice(0, -1).map(({ clocks }) => clocks)).toEqual(zones.slice(0, -1).map(clocksOf));
});
