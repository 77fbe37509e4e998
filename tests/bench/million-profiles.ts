import type pg from 'pg';

/** A million, unless `PROFILES` says otherwise. */
export const profileCount = Number(process.env['PROFILES'] ?? 1_000_000);
const otherAccounts = 999;
const ofEachOther = 200;

/** The indexes that are built after the rows, as restoring a dump does. */
const secondaryIndexes = `select indexname, indexdef from pg_indexes where tablename = 'profiles' and indexname <> 'profiles_pkey'`;

/**
 * A million profiles for an account that is there, and 999 other accounts with 200 each. Of the million: 10 % have
 * `installed` true, 0.1 % have `rare` 'yes', no two a name or a number in common. Each
 * was seen a minute before the one that came before.
 */
export async function makeMillionProfiles(database: pg.Pool, accountId: number): Promise<void> {
  const { rows: indexes } = await database.query<{ indexname: string; indexdef: string }>(secondaryIndexes);
  await database.query(`
    insert into accounts (name, email, email_key, password_hash, api_key_hash, api_key_sealed)
    select 'Other', 'other-' || n, 'other-' || n, '', sha256(n::text::bytea), '' from generate_series(1, ${otherAccounts}) n`);
  await database.query(`alter table profiles disable trigger user`);
  for (const { indexname } of indexes) await database.query(`drop index ${indexname}`);
  await database.query(
    insertProfiles(`select ${accountId}::bigint as account_id, n from generate_series(1, ${profileCount}) n`),
  );
  await database.query(
    insertProfiles(
      `select a.id as account_id, n from accounts a, generate_series(1, ${ofEachOther}) n where a.email like 'other-%'`,
    ),
  );
  for (const { indexdef } of indexes) await database.query(indexdef);
  await database.query(`alter table profiles enable trigger user`);
  await database.query(`
    insert into profile_fields (account_id, path, type, profiles, sample_profile_id)
    select account_id, path, type, count(*), max(id) from profiles
     cross join (values ('phone', 'string'), ('name', 'string'), ('email', 'string'), ('country_code', 'string'),
                        ('custom_fields.installed', 'boolean'), ('custom_fields.plan', 'string'),
                        ('custom_fields.rare', 'string'), ('custom_fields.visits', 'number'),
                        ('custom_fields.seen_at', 'string'), ('custom_fields.address', 'object'), ('custom_fields.address.city', 'string')) as field (path, type)
     group by account_id, path, type`);
  await database.query('vacuum analyze profiles');
  await database.query('vacuum analyze profile_fields');
}

/** The sandbox restricts the phone that writes to some of the endings, and ends its link. */
const phoneOf = `(case when n % 10000 between 1 and 6 then 14160001000 + n / 10000 * 10 + n % 10 else 14150000000 + n end)`;

const insertProfiles = (source: string) => `
  insert into profiles (account_id, phone, phone_given, country_code, calling_code, national_number, phone_is_valid, name,
                        email, custom_fields, status, created_at, updated_at)
  select account_id, phone, phone, 'US', '1', substr(phone, 2), true,
         (array['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Tim', 'Linus'])[1 + n % 8] || ' ' || left(md5(n::text), 8),
         'person' || n || '@example.com',
         jsonb_build_object('installed', n % 10 = 0, 'plan', (array['free', 'pro', 'team'])[1 + n % 3],
                            'rare', case when n % 1000 = 0 then 'yes' else 'no' end, 'visits', n % 500,
                            'address', jsonb_build_object('city', 'City ' || n % 100),
                            'seen_at', to_char((now() - n * interval '1 minute') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
         'active', now() - n * interval '1 second', now() - n * interval '1 second'
    from (${source}) as source
   cross join lateral (select ${phoneOf}::text as phone) as numbered`;
