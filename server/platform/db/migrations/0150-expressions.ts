import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { capitals, smallLetters } from '#contracts/fold-value.ts';

const spaces = `E' \\t\\n\\r'`;

const statements = [
  // As foldValue in the contracts does.
  `create function folded_value(given text) returns text language sql immutable parallel safe return
     case when octet_length(given) = length(given) then lower(btrim(given, ${spaces}) collate "C")
          else translate(btrim(given, ${spaces}), '${capitals}', '${smallLetters}') end`,
  `create function folded_texts(given jsonb) returns text[] language plpgsql immutable parallel safe cost 20 as $$
   begin
     case jsonb_typeof(given)
       when 'string' then return array[folded_value(given #>> '{}')];
       when 'number' then return array[trim_scale((given #>> '{}')::numeric)::text];
       when 'boolean' then return array[given #>> '{}'];
       when 'array' then
         return array(select case jsonb_typeof(member) when 'string' then folded_value(member #>> '{}')
                                  when 'number' then trim_scale((member #>> '{}')::numeric)::text
                                  else member #>> '{}' end
                        from jsonb_array_elements(given) as member
                       where jsonb_typeof(member) in ('string', 'number', 'boolean'));
       else return '{}'::text[];
     end case;
   end $$`,
  `create function number_of(given jsonb) returns float8 language plpgsql immutable parallel safe cost 20 as $$
   declare
     written text := given #>> '{}';
   begin
     if jsonb_typeof(given) = 'number' then return written::float8; end if;
     if jsonb_typeof(given) <> 'string' then return null; end if;
     written := btrim(written, ${spaces});
     if written ~ '^[+-]?[0-9]{1,15}(\\.[0-9]{1,15})?$' then return written::float8; end if;
     return null;
   end $$`,
  // A day is its own in every zone; a moment falls on a day of the given one.
  `create function month_day_of(given jsonb, zone text) returns text language plpgsql stable parallel safe cost 50 as $$
   declare
     written text := given #>> '{}';
     ms numeric := epoch_ms_of(given);
   begin
     if ms is null or ms not between -62135596800000 and 253402300799999 then return null; end if;
     if jsonb_typeof(given) = 'string' and written ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' then return substr(written, 6, 5); end if;
     return to_char(to_timestamp(ms / 1000.0) at time zone zone, 'MM-DD');
   end $$`,
  `create function bucket_of(profile_id bigint, salt text, parts int) returns int
     language sql immutable parallel safe return
     (('x' || substr(md5(salt || ':' || profile_id::text), 1, 8))::bit(32)::bigint % parts)::int`,
  // Null: the segment is of its field_path, operator and value.
  `alter table segments add column expression jsonb`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
