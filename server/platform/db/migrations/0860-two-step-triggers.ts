import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * Functions of triggers read their transition tables alone, into arrays, and write by these: on a worker of Citus a
 * statement that names a table of the cell is a distributed one, which knows no transition table.
 */
const trigger = (name: string, declared: string, body: string) =>
  `create or replace function ${name}() returns trigger language plpgsql as $$
   declare
     ${declared}
   begin
     ${body}
     return null;
   end $$`;

const ids = 'account_ids bigint[]; ids bigint[];';

/** Deletes what belongs to the rows that are gone, from each of the tables by its column. */
const deletion = (name: string, gone: string, tables: Readonly<Record<string, string>>) =>
  trigger(
    name,
    ids,
    `select array_agg(account_id), array_agg(id) into account_ids, ids from ${gone};
     if ids is null then return null; end if;
     ${Object.entries(tables)
       .map(
         ([table, column]) =>
           `delete from ${table} t using unnest(account_ids, ids) as gone (account_id, id)
             where t.account_id = gone.account_id and t.${column} = gone.id;`,
       )
       .join('\n     ')}`,
  );

/** Fields with a type of the accounts in `account_ids`, their keys as JSON, since those of all have no common length. */
const findFields = `select array_agg(f.account_id), array_agg(f.id), array_agg(f.type), array_agg(to_jsonb(f.keys))
       into field_accounts, field_ids, types, paths
       from typed_fields f where f.account_id = any(account_ids) and f.dropped_at is null;
     if field_ids is null then return null; end if;`;

const fields = `(select field.account_id, field.id, field.type, array(select jsonb_array_elements_text(field.path)) as keys
               from unnest(field_accounts, field_ids, types, paths) as field (account_id, id, type, path) offset 0) as f`;

/** Reads `source` (account_id, profile_id, field_id, type, value) and stores its typed values. */
const storeValues = (source: string) => `
     select array_agg(s.account_id), array_agg(s.profile_id), array_agg(s.field_id), array_agg(r.place),
            array_agg(r.number), array_agg(r.day), array_agg(r.text), array_agg(r.is_readable)
       into account_ids, ids, value_fields, places, numbers, days, texts, readable
       from (${source}) as s cross join lateral typed_rows(s.value, s.type) as r;
     if ids is null then return null; end if;
     insert into typed_values (account_id, profile_id, field_id, place, number, day, text, is_readable)
     select * from unnest(account_ids, ids, value_fields, places, numbers, days, texts, readable)
         on conflict do nothing;`;

const typing = `${ids} field_accounts bigint[]; field_ids bigint[]; types text[]; paths jsonb[]; value_fields bigint[];
     places int[]; numbers float8[]; days text[]; texts text[]; readable boolean[];`;

/**
 * `join`: how a statement's rows before and after it are brought together. A condition of one side alone would make a
 * full join an outer one.
 */
export const typedUpdate = (join: 'join' | 'full join') =>
  trigger(
    'type_profiles_update',
    `${typing} changed_types text[]; changed_values jsonb[];`,
    `select array_agg(distinct account_id) into account_ids from new_rows;
     ${findFields}
     select array_agg(c.account_id), array_agg(c.profile_id), array_agg(c.field_id), array_agg(c.type), array_agg(c.value)
       into account_ids, ids, value_fields, changed_types, changed_values
       from (select n.account_id, n.id as profile_id, f.id as field_id, f.type,
                    typed_value_at(n.custom_fields, f.keys) as value, typed_value_at(o.custom_fields, f.keys) as before
               from new_rows n ${join} old_rows o on o.account_id = n.account_id and o.id = n.id
               join ${fields} on f.account_id = coalesce(n.account_id, o.account_id)
              where n.custom_fields is distinct from o.custom_fields) as c
      where c.value is distinct from c.before;
     if ids is null then return null; end if;
     delete from typed_values v using unnest(account_ids, ids, value_fields) as c (account_id, profile_id, field_id)
      where v.account_id = c.account_id and v.profile_id = c.profile_id and v.field_id = c.field_id;
     ${storeValues(`select * from unnest(account_ids, ids, value_fields, changed_types, changed_values)
                   as c (account_id, profile_id, field_id, type, value)`)}`,
  );

const statements = [
  trigger(
    'keep_message_texts',
    `${ids} texts text[];`,
    `select array_agg(account_id), array_agg(id), array_agg(fold_text(body)) into account_ids, ids, texts
       from new_rows where body <> '';
     if ids is null then return null; end if;
     insert into message_texts (account_id, message_id, body)
     select * from unnest(account_ids, ids, texts)
         on conflict (account_id, message_id) do update set body = excluded.body;`,
  ),
  deletion('remove_message_texts', 'old_rows', { message_texts: 'message_id' }),
  deletion('delete_bulk_run_rows', 'gone', { bulk_run_rows: 'bulk_run_id', bulk_run_tallies: 'bulk_run_id' }),
  deletion('delete_campaign_recipients', 'gone', {
    campaign_recipients: 'campaign_id',
    campaign_tallies: 'campaign_id',
  }),
  deletion('delete_flow_deliveries', 'gone', {
    flow_deliveries: 'flow_id',
    flow_profiles: 'flow_id',
    flow_tallies: 'flow_id',
  }),
  deletion('type_profiles_delete', 'old_rows', { typed_values: 'profile_id' }),
  trigger(
    'type_profiles_insert',
    typing,
    `select array_agg(distinct account_id) into account_ids from new_rows;
     ${findFields}
     ${storeValues(`select n.account_id, n.id as profile_id, f.id as field_id, f.type,
                      typed_value_at(n.custom_fields, f.keys) as value
                 from new_rows n join ${fields} on f.account_id = n.account_id`)}`,
  ),
  typedUpdate('join'),
  // In plpgsql: Citus plans no statement of an SQL function that has the function's parameters.
  `create or replace function apply_profile_field_changes(changes profile_field_change[]) returns void
   language plpgsql as $$
   begin
     insert into profile_field_deltas (account_id, path, type, profiles, sample_profile_id)
     select account_id, path, type, profiles, sample_profile_id from unnest(changes);
   end $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
