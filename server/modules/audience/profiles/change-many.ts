import { sql } from 'kysely';
import { maxTags, sortedTags } from '#contracts/profile-tags.ts';
import type { AccountContext, Tx } from '#server/context.ts';

type TagChange = { ids: readonly number[]; add?: readonly string[]; remove?: readonly string[] };
/** Tags added to a profile, or removed from it. */
type Tagged = { id: number; tags: string[] };

/**
 * Adds tags to profiles, or takes them away. Answers whose tags changed, and in what; who would have more than the most
 * is in `full`, and stays as they were.
 */
export async function tagProfiles(
  tx: Tx<AccountContext>,
  { ids, add = [], remove = [] }: TagChange,
): Promise<{ tagged: Tagged[]; full: number[] }> {
  const rows = await lockByIds(tx, ids);
  const tagged: (Tagged & { all: string[] })[] = [];
  const full: number[] = [];
  for (const { id, tags } of rows) {
    const all = sortedTags([...tags, ...add]).filter((tag) => !remove.includes(tag));
    const changed = [...all.filter((tag) => !tags.includes(tag)), ...tags.filter((tag) => !all.includes(tag))];
    if (changed.length === 0) continue;
    if (all.length > maxTags && all.length > tags.length) full.push(id);
    else tagged.push({ id, tags: changed, all });
  }
  if (tagged.length > 0) {
    const now = tx.clock.now();
    await sql`
      update profiles p set tags = x.tags, updated_at = ${now}
        from jsonb_to_recordset(${JSON.stringify(tagged.map(({ id, all }) => ({ id, tags: all })))}::jsonb)
               as x (id bigint, tags text[])
       where p.account_id = ${tx.account.id} and p.id = x.id
    `.execute(tx.db);
    const profileIds = tagged.map(({ id }) => id);
    await tx.onDomainEvents(tx, [{ type: 'profiles.changed', accountId: tx.account.id, at: now, profileIds }]);
  }
  return { tagged: tagged.map(({ id, tags }) => ({ id, tags })), full };
}

/** In the order of their numbers, so that whoever else changes many never waits for this one while it waits for them. */
async function lockByIds(tx: Tx<AccountContext>, ids: readonly number[]): Promise<{ id: number; tags: string[] }[]> {
  const { rows } = await sql<{ id: number; tags: string[] }>`
    select id, tags from profiles
     where account_id = ${tx.account.id} and id = any(${ids}::bigint[])
     order by phone_key(phone) for update
  `.execute(tx.db);
  return rows;
}

/** A profile's row, by its columns, and under `facts` its row of those, where there is one. */
type StoredProfile = Record<string, unknown>;

/** Answers those that were there, as they were. Their messages stay in the records; what waits for them is withdrawn. */
export async function deleteProfiles(
  tx: Tx<AccountContext>,
  ids: readonly number[],
): Promise<{ id: number; profile: StoredProfile }[]> {
  await lockByIds(tx, ids);
  const { rows } = await sql<{ id: number; profile: StoredProfile }>`
    with kept as materialized (
      select p.id, to_jsonb(p) || coalesce(
               (select jsonb_build_object('facts', to_jsonb(f)) from profile_facts f
                 where f.account_id = p.account_id and f.profile_id = p.id), '{}') as profile
        from profiles p where p.account_id = ${tx.account.id} and p.id = any(${ids}::bigint[])
    ), gone as (
      delete from profiles where account_id = ${tx.account.id} and id = any(${ids}::bigint[]) returning id
    )
    select kept.id, kept.profile from kept join gone using (id)
  `.execute(tx.db);
  const profileIds = rows.map(({ id }) => id);
  if (profileIds.length > 0) {
    const source = { accountId: tx.account.id, at: tx.clock.now() };
    await tx.onDomainEvents(tx, [{ ...source, type: 'profiles.deleted', profileIds }]);
  }
  return rows;
}

/**
 * Puts deleted profiles back as they were, ids included, so that their messages and what flows know of them are theirs
 * again. A number or an external id that has become another profile's meanwhile stays that one's; columns that are newer
 * keep their defaults. Answers how many are back.
 */
export async function restoreProfiles(tx: Tx<AccountContext>, profiles: readonly StoredProfile[]): Promise<number> {
  const columns = Object.keys(profiles[0] ?? {}).filter((column) => column !== 'facts');
  if (columns.length === 0) return 0;
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const { rows } = await sql<{ id: number }>`
    insert into profiles (${names}) overriding system value
    select ${names} from jsonb_populate_recordset(null::profiles, ${JSON.stringify(profiles)}::jsonb) as stored
     where stored.account_id = ${tx.account.id}
     order by phone_key(stored.phone)
        on conflict do nothing
    returning id
  `.execute(tx.db);
  const profileIds = rows.map(({ id }) => id);
  const facts = profiles.flatMap(({ facts: stored }) => (stored ? [stored] : []));
  await sql`
    with free as materialized (
      select f.account_id, f.profile_id, f.language, f.timezone,
             case when exists (select from profile_facts o where o.account_id = f.account_id and o.external_id = f.external_id)
                  then null else f.external_id end as external_id
        from jsonb_populate_recordset(null::profile_facts, ${JSON.stringify(facts)}::jsonb) as f
       where f.account_id = ${tx.account.id} and f.profile_id = any(${profileIds}::bigint[])
    )
    insert into profile_facts (account_id, profile_id, language, timezone, external_id)
    select account_id, profile_id, language, timezone, external_id from free
     order by profile_id
        on conflict do nothing
  `.execute(tx.db);
  await tx.onDomainEvents(tx, [{ type: 'profiles.changed', accountId: tx.account.id, at: tx.clock.now(), profileIds }]);
  return rows.length;
}
