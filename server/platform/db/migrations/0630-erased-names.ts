import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // `erase_from_logs` goes by the name that a person has now. Here the profile and its conversations go by their ids, so
  // that earlier names go, too, and namesakes keep theirs; what is there no more goes by the name.
  `create function erase_person_from_logs(account bigint, person bigint, talks bigint[], names text[], numbers text[],
     replacement text)
   returns void language plpgsql security definer set search_path = public, pg_temp as $$
   declare
     keys text[] := array(select distinct phone_key(x) from unnest(numbers) x);
     known text[] := names || array(
       select distinct target_name from audit_events
        where account_id = account and target_type = 'profile' and target_id = person and target_name is not null);
   begin
     update audit_events a set target_name = replacement
      where account_id = account and target_name is not null
        and case target_type
              when 'profile' then target_id = person or (target_name = any (known)
                and not exists (select from profiles p where p.account_id = account and p.id = a.target_id))
              when 'conversation' then target_id = any (talks) or (target_name = any (known)
                and not exists (select from conversations c where c.account_id = account and c.id = a.target_id))
              when 'message' then target_name = any (known)
              when 'contact' then phone_key(regexp_replace(target_name, '\\D', '', 'g')) = any (keys)
              when 'suppression' then phone_key(regexp_replace(target_name, '\\D', '', 'g')) = any (keys)
              when 'consent' then phone_key(regexp_replace(target_name, '\\D', '', 'g')) = any (keys)
              else false
            end;
     perform erase_from_logs(account, person, '{}', numbers, replacement);
   end $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
