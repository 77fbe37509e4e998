import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';

/** `key`: of the number. `given`: the name that it got in this way before. Null: none. */
type GivenName = { key: string; given: string | null; name: string | null };

/**
 * Names the profiles that have no name, or the one that they were given before: what somebody typed stays. Answers the
 * keys of those that are named so now. In the order of their numbers, as imports lock them.
 */
export async function giveNames(tx: Tx, accountId: number, names: readonly GivenName[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const now = tx.clock.now();
  const { rows } = await sql<{ key: string; id: number; is_new: boolean }>`
    with named as (
      select p.id, phone_key(p.phone) as key, p.name as before, x.name
        from profiles p
        join jsonb_to_recordset(${JSON.stringify(names)}::jsonb) as x (key text, given text, name text)
          on phone_key(p.phone) = x.key
       where p.account_id = ${accountId} and not p.is_twin and (p.name is null or p.name = x.given)
       order by phone_key(p.phone) for update of p
    ), changed as (
      update profiles p set name = named.name, updated_at = ${now} from named
       where p.account_id = ${accountId} and p.id = named.id and named.before is distinct from named.name
      returning p.id
    )
    select key, id, id in (select id from changed) as is_new from named
  `.execute(tx.db);
  const profileIds = rows.flatMap((row) => (row.is_new ? [row.id] : []));
  if (profileIds.length > 0) {
    await tx.onDomainEvents(tx, [{ type: 'profiles.changed', accountId, at: now, profileIds }]);
  }
  return new Set(rows.map(({ key }) => key));
}
