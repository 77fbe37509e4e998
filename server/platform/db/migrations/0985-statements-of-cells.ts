import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** What Citus takes in no statement of its own: a recursive look at a table, and an aggregate in `do update`. */
const statements = [
  // One index probe for each phone, however many webhooks wait.
  `create function phones_with_due_webhooks(due timestamptz) returns setof bigint language plpgsql stable as $$
   declare
     waiting record;
   begin
     select phone_id, due_at into waiting from cloud_webhooks order by phone_id, due_at limit 1;
     while found loop
       if waiting.due_at <= due then
         return next waiting.phone_id;
       end if;
       select w.phone_id, w.due_at into waiting from cloud_webhooks w
        where w.phone_id > waiting.phone_id order by w.phone_id, w.due_at limit 1;
     end loop;
   end $$`,
  `create function template_wording(components jsonb) returns jsonb language sql immutable parallel safe as $$
   select jsonb_agg((case when part ->> 'type' = 'HEADER' then '{"format": "TEXT"}' else '{}' end)::jsonb || (part - 'example')
                    || case when part ? 'buttons'
                            then jsonb_build_object('buttons', (select jsonb_agg(button - 'example')
                                                                  from jsonb_array_elements(part -> 'buttons') button))
                            else '{}' end)
     from jsonb_array_elements(components) part $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
