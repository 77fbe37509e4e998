import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `alter table profiles add column tags text[] not null default '{}'`,
  ...(['insert', 'update', 'delete'] as const).map(catalogue),
];

/** As before, and with the tags: `tags` for who has any, and `tags.` and the tag for who has that one. */
function catalogue(operation: 'insert' | 'update' | 'delete'): string {
  const added = `select account_id, id, name, email, country_code, custom_fields, tags, 1 as delta from new_rows`;
  const removed = `select account_id, id, name, email, country_code, custom_fields, tags, -1 as delta from old_rows`;
  const changed = `select n.account_id, n.id, v.name, v.email, v.country_code, v.custom_fields, v.tags, v.delta
      from new_rows n join old_rows o on o.account_id = n.account_id and o.id = n.id
           cross join lateral (values (n.name, n.email, n.country_code, n.custom_fields, n.tags, 1),
                                      (o.name, o.email, o.country_code, o.custom_fields, o.tags, -1))
             as v (name, email, country_code, custom_fields, tags, delta)
     where (n.name, n.email, n.country_code, n.custom_fields, n.tags) is distinct from
           (o.name, o.email, o.country_code, o.custom_fields, o.tags)`;
  const source = { insert: added, delete: removed, update: changed }[operation];
  return `create or replace function catalogue_profile_${operation}() returns trigger language plpgsql as $$
     begin
       perform apply_profile_field_changes(array_agg((account_id, path, type, profiles, sample)::profile_field_change))
         from (
           with recursive source as materialized (${source}),
           node as (
             select account_id, id, delta, 'custom_fields.' || escape_field_key(key) as path, value
               from source cross join lateral jsonb_each(custom_fields)
             union all
             select account_id, id, delta, path || '.' || escape_field_key(inner_key), inner_value
               from node cross join lateral jsonb_each(case when jsonb_typeof(value) = 'object' then value else '{}' end)
                 as each (inner_key, inner_value)
           ),
           field as (
             select account_id, id, delta, path, profile_field_type(value) as type from node
             union all
             select account_id, id, delta, path, 'string'
               from source cross join lateral (values ('phone', 'always'), ('name', name), ('email', email),
                                                      ('country_code', country_code)) as part (path, value)
              where part.value <> ''
             union all
             select account_id, id, delta, 'tags', 'array' from source where tags <> '{}'
             union all
             select account_id, id, delta, 'tags.' || tag, 'string' from source cross join lateral unnest(tags) as tag
           )
           select account_id, path, type, sum(delta) as profiles, max(id) filter (where delta = 1) as sample
             from field group by account_id, path, type having sum(delta) <> 0 order by account_id, path, type
         ) as change;
       return null;
     end $$`;
}

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
