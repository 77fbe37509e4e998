import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import { anyLength } from '#server/platform/db/any-length.ts';
import { phoneKey } from './numbers/phone-key.ts';
import type { ProfileValues } from './profile-values.ts';

/** A profile as it was read; `version` is another one once it is changed. */
export type KnownProfile = ProfileValues & { id: number; version: string };

/** The values that it comes to have. */
export type ChangedProfile = Omit<KnownProfile, 'version'>;

/** By the keys of their numbers. */
export async function findProfiles(
  tx: Tx,
  accountId: number,
  phones: readonly string[],
): Promise<Map<string, KnownProfile>> {
  if (phones.length === 0) return new Map();
  const { rows } = await sql<KnownProfile>`
    select id, xmin::text as version, phone, phone_given, country_code, calling_code, national_number, phone_is_valid,
           name, email, status, custom_fields, tags
      from profiles
     where account_id = ${accountId} and phone_key(phone) = any(${anyLength(phones.map(phoneKey), 'text')}) and not is_twin
  `.execute(tx.db);
  return new Map(rows.map((row) => [phoneKey(row.phone), row]));
}

/**
 * By the keys of their numbers, and in their order, so that two imports never wait for each other. Answers the keys whose
 * profiles are still what was found before.
 */
export async function lockProfiles(
  tx: Tx,
  accountId: number,
  { found, keys }: { found: ReadonlyMap<string, KnownProfile>; keys: readonly string[] },
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const { rows } = await sql<{ key: string; version: string }>`
    select phone_key(phone) as key, xmin::text as version from profiles
     where account_id = ${accountId} and phone_key(phone) = any(${anyLength(keys, 'text')}) and not is_twin
     order by phone_key(phone) for update
  `.execute(tx.db);
  return new Set(rows.flatMap(({ key, version }) => (found.get(key)?.version === version ? [key] : [])));
}

/** Answers the numbers that became profiles; the others have become somebody else's in the meantime. */
export async function insertProfiles(
  tx: Tx,
  accountId: number,
  profiles: readonly ProfileValues[],
): Promise<Set<string>> {
  if (profiles.length === 0) return new Set();
  const now = tx.clock.now();
  const { rows } = await sql<{ id: number; phone: string }>`
    insert into profiles (account_id, phone, phone_given, country_code, calling_code, national_number, phone_is_valid,
                          name, email, status, custom_fields, tags, created_at, updated_at)
    select ${accountId}, x.*, ${now}, ${now} from ${valuesTable(profiles)}
     order by phone_key(x.phone)
    on conflict do nothing
    returning id, phone
  `.execute(tx.db);
  const profileIds = rows.map(({ id }) => id);
  if (profileIds.length > 0)
    await tx.onDomainEvents(tx, [{ type: 'profiles.numbered', accountId, at: now, profileIds }]);
  return new Set(rows.map(({ phone }) => phone));
}

/** For profiles that this transaction has locked. Their numbers stay. */
export async function updateProfiles(tx: Tx, accountId: number, profiles: readonly ChangedProfile[]): Promise<void> {
  if (profiles.length === 0) return;
  const changes = profiles.map(({ id, name, email, status, custom_fields, tags }) => {
    return { id, name, email, status, custom_fields, tags };
  });
  await sql`
    update profiles p
       set name = x.name, email = x.email, status = x.status, custom_fields = x.custom_fields, tags = x.tags,
           updated_at = ${tx.clock.now()}
      from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
             as x (id bigint, name text, email text, status text, custom_fields jsonb, tags text[])
     where p.account_id = ${accountId} and p.id = x.id
  `.execute(tx.db);
}

/** A single parameter for all rows: the driver takes far longer to write a list for each column. */
export function valuesTable(profiles: readonly ProfileValues[]) {
  return sql`jsonb_to_recordset(${JSON.stringify(profiles)}::jsonb)
               as x (phone text, phone_given text, country_code text, calling_code text, national_number text,
                     phone_is_valid boolean, name text, email text, status text, custom_fields jsonb, tags text[])`;
}
