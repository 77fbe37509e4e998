import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ProfileFact } from '#contracts/field-path.ts';
import type { NewProfile, Profile } from '#contracts/profiles.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { narrowedTo } from '#server/scope.ts';
import { inReach } from './in-reach.ts';
import { ProfileExistsError } from './profile-exists-error.ts';

/** The parts of a profile that stand beside its row. */
export type ProfileFacts = Pick<Profile, 'language' | 'timezone' | 'external_id'>;

export const noFacts: ProfileFacts = { language: null, timezone: null, external_id: null };

/** Over the table `profiles`: its facts as JSON; null where it has none. */
export const factsSql: RawBuilder<unknown> = sql`
  (select jsonb_build_object('language', f.language, 'timezone', f.timezone, 'external_id', f.external_id)
     from profile_facts f where f.account_id = profiles.account_id and f.profile_id = profiles.id) as facts`;

/** Over the table `profiles`: one of its facts as text; null where it has none. */
export const factSql = (fact: ProfileFact): RawBuilder<string | null> => sql`
  (select ${sql.ref(`f.${fact}`)} from profile_facts f
    where f.account_id = profiles.account_id and f.profile_id = profiles.id)`;

/** The language of the profile with a number; null where there is none. */
export const languageOfNumber = (
  account: RawBuilder<number>,
  phone: RawBuilder<string>,
): RawBuilder<string | null> => sql`
  (select f.language from profiles p
     join profile_facts f on f.account_id = p.account_id and f.profile_id = p.id
    where p.account_id = ${account} and p.phone = ${phone} limit 1)`;

/** How many profiles of the account have each of them. */
export async function countFacts(ctx: AccountContext): Promise<Record<ProfileFact, number>> {
  const { rows } = await sql<Record<ProfileFact, number>>`
    select count(language) as language, count(timezone) as timezone, count(external_id) as external_id
      from profile_facts f where f.account_id = ${ctx.account.id}
       and ${narrowedTo(ctx) === null ? sql`true` : sql`exists (select from profiles where profiles.account_id = f.account_id and profiles.id = f.profile_id and ${inReach(ctx)})`}
  `.execute(ctx.db);
  return rows[0] ?? { language: 0, timezone: 0, external_id: 0 };
}

/** By profile. */
export async function findFacts(
  ctx: Pick<AccountContext, 'db'> & { account: { id: number } },
  ids: readonly number[],
): Promise<Map<number, ProfileFacts>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<ProfileFacts & { id: number }>`
    /* prepared: find-profile-facts */
    select f.profile_id as id, f.language, f.timezone, f.external_id from profile_facts f
     where f.account_id = ${ctx.account.id} and f.profile_id = any(${ids}::bigint[])
  `.execute(ctx.db);
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}

export async function findByExternalId(ctx: AccountContext, externalId: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select profile_id as id from profile_facts where account_id = ${ctx.account.id} and external_id = ${externalId}
  `.execute(ctx.db);
  return rows[0]?.id;
}

type Given = Pick<Partial<NewProfile>, 'language' | 'timezone' | 'external_id'>;

/** Whether an input names any of them. */
export const namesFacts = ({ language, timezone, external_id: id }: Given) =>
  language !== undefined || timezone !== undefined || id !== undefined;

/**
 * Sets the facts that the input names, and answers whether any has changed. The profile is locked, or made, by this
 * transaction. Throws 409 `profile_exists` where the external id is another profile's.
 */
export async function saveFacts(tx: Tx<AccountContext>, profileId: number, given: Given): Promise<boolean> {
  if (!namesFacts(given)) return false;
  const before = (await findFacts(tx, [profileId])).get(profileId) ?? noFacts;
  const after: ProfileFacts = {
    language: given.language === undefined ? before.language : given.language,
    timezone: given.timezone === undefined ? before.timezone : given.timezone,
    external_id: given.external_id === undefined ? before.external_id : given.external_id,
  };
  if (isDeepStrictEqual(after, { ...before })) return false;
  const { rows } = await sql<{ id: number }>`
    with holder as materialized (
      select profile_id as id from profile_facts
       where account_id = ${tx.account.id} and external_id = ${after.external_id} and profile_id <> ${profileId}
    ), saved as (
      insert into profile_facts (account_id, profile_id, language, timezone, external_id)
      select ${tx.account.id}, ${profileId}, ${after.language}, ${after.timezone}, ${after.external_id}
       where not exists (select from holder)
      on conflict (account_id, profile_id) do update
        set language = excluded.language, timezone = excluded.timezone, external_id = excluded.external_id
    )
    select id from holder
  `.execute(tx.db);
  if (rows[0]) throw new ProfileExistsError(rows[0].id, 'external id');
  return true;
}

/** For profiles that this transaction has made or locked, by their numbers. */
export async function saveManyFacts(
  tx: Tx,
  accountId: number,
  given: readonly (ProfileFacts & { phone: string })[],
): Promise<void> {
  if (given.length === 0) return;
  await sql`
    with known as materialized (
      select p.id, x.language, x.timezone, x.external_id
        from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
               as x (phone text, language text, timezone text, external_id text)
        join profiles p on p.account_id = ${accountId} and p.phone = x.phone
    )
    insert into profile_facts (account_id, profile_id, language, timezone, external_id)
    select ${accountId}::bigint, id, language, timezone, external_id from known
     order by id
    on conflict (account_id, profile_id) do update
      set language = excluded.language, timezone = excluded.timezone, external_id = excluded.external_id
  `.execute(tx.db);
}

/** By external id: the numbers of the profiles that have these. */
export async function findHolders(tx: Tx, accountId: number, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; phone: string }>`
    select f.external_id as id, p.phone
      from profile_facts f join profiles p on p.account_id = f.account_id and p.id = f.profile_id
     where f.account_id = ${accountId} and f.external_id = any(${ids}::text[])
  `.execute(tx.db);
  return new Map(rows.map(({ id, phone }) => [id, phone]));
}
