import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { tryTurn } from '#server/platform/db/shared-names.ts';

const deltasPerFold = 20_000;

/**
 * Folds what changed in the catalogues of fields into them, of all accounts; answers how many changes it was. Nobody
 * waits for it: those who change profiles append only, and of several processes one folds.
 */
// account-wide: the catalogues of all accounts are folded together.
export async function foldFieldDeltas(ctx: Context, limit = deltasPerFold): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    if (!(await tryTurn(tx.db, 'profile_field_deltas'))) return 0;
    const { rows } = await sql<{ folded: number }>`
      with taken as (
        delete from profile_field_deltas d
         using (select account_id, path, type, id from profile_field_deltas limit ${limit}) as oldest
         where (d.account_id, d.path, d.type, d.id) = (oldest.account_id, oldest.path, oldest.type, oldest.id)
        returning d.*
      ), living as materialized (
        select id from accounts where id = any(array(select distinct account_id from taken)) for key share
      ), change as (
        select account_id, path, type, sum(profiles) as profiles, max(sample_profile_id) as sample_profile_id
          from taken
         -- An account that has been deleted has no catalogue any more.
         where account_id in (select id from living)
         group by account_id, path, type
      ), saved as (
        insert into profile_fields as f (account_id, path, type, profiles, sample_profile_id)
        select account_id, path, type, profiles, coalesce(sample_profile_id, 0) from change
         order by account_id, path, type
        on conflict (account_id, path, type) do update
          set profiles = f.profiles + excluded.profiles,
              sample_profile_id = case when excluded.sample_profile_id > 0 then excluded.sample_profile_id
                                       else f.sample_profile_id end
        returning f.profiles
      )
      select (select count(*) from taken) as folded from (select count(*) from saved) as s
    `.execute(tx.db);
    // Below nothing: what it is taken from has not been folded yet.
    await tx.db.deleteFrom('profile_fields').where('profiles', '=', 0).execute();
    return rows[0]?.folded ?? 0;
  });
}
