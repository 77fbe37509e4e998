import type { ConcurrentIndex } from '#server/platform/db/concurrent-indexes.ts';
import type { ProfileTables } from './tables.ts';

/** Indexes added after the first release, on tables that are large by then. */
export const profileIndexes: readonly ConcurrentIndex<keyof ProfileTables>[] = [
  { name: 'profile_fields_gone', table: 'profile_fields', columns: '(account_id) where profiles = 0' },
  {
    name: 'profiles_by_phone_key',
    table: 'profiles',
    isUnique: true,
    columns: '(account_id, phone_key(phone)) where not is_twin',
    // Two profiles of one person from before there was a key: both stay, and the younger gives way.
    prepare: `update profiles set is_twin = true
               where not is_twin and (account_id, id) in (
                 select account_id, id
                   from (select account_id, id,
                                row_number() over (partition by account_id, phone_key(phone) order by id) as place
                           from profiles where phone like '52%' or phone like '54%' or phone like '55%') as written
                  where place > 1)`,
  },
  { name: 'profiles_twins', table: 'profiles', columns: '(account_id, phone_key(phone)) where is_twin' },
  // With the account beside the fields a row is compared as it lies there, and the planner knows from the column's own
  // statistics how many rows match.
  {
    name: 'profiles_by_fields',
    table: 'profiles',
    columns: 'using gin (account_id, custom_fields jsonb_path_ops) with (gin_pending_list_limit = 256)',
    replaces: 'profiles_by_custom_field',
  },
  {
    name: 'profiles_by_folded_text',
    table: 'profiles',
    columns:
      'using gin (account_id, profile_folded_text(name, email, phone) gin_trgm_ops) with (gin_pending_list_limit = 512)',
    replaces: 'profiles_by_text',
  },
  {
    name: 'profiles_by_tags',
    table: 'profiles',
    columns: 'using gin (account_id, tags) with (gin_pending_list_limit = 256)',
  },
];
