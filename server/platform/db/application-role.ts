import pg from 'pg';
import { migrationLock } from './migrate.ts';
import { withServerLock } from './server-lock.ts';

export type ApplicationRole = {
  name: string;
  /** Undefined: the role is there already, and its password somebody else's affair. */
  password?: string;
};

/**
 * Lets the application's role do its work and no more: read and write every table there is, or will be, in the product's
 * schema, but for the audit log and its months, to which it only adds; and own nothing. `connectionString` is the owner's. May be repeated, and by several starts at once.
 */
export function admitApplication(connectionString: string, { name, password }: ApplicationRole): Promise<void> {
  return withServerLock(connectionString, migrationLock, async (client) => {
    const { rows } = await client.query('select current_user = $1 as is_owner', [name]);
    if (rows[0]?.is_owner === true) return;
    await client.query('begin');
    if (password !== undefined) await ensureLogin(client, name, password);
    for (const grant of await missingGrants(client, name)) await client.query(grant);
    await client.query('commit');
  });
}

async function ensureLogin(client: pg.Client, name: string, password: string): Promise<void> {
  const role = pg.escapeIdentifier(name);
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name]);
  const attributes = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';
  await client.query(
    `${rowCount === 0 ? 'create' : 'alter'} role ${role} ${attributes} password ${pg.escapeLiteral(password)}`,
  );
}

/**
 * The grants and revocations that bring the role to the rights it needs in the schema, as statements. The extensions lie
 * in `public`, whose use is granted as well.
 * Functions of extensions belong to whoever made those, and the owner can grant nothing of them; a grant that changes
 * nothing would still write to the catalog at each start.
 */
async function missingGrants(client: pg.Client, name: string): Promise<string[]> {
  const { rows } = await client.query<{ grant: string }>(
    `with rights (kind, of_relations, letter, granted) as (
       values ('table', array['r', 'p', 'v'], 'r', 'select, insert, update, delete'),
              ('sequence', array['S'], 'S', 'usage, select, update'),
              ('function', array[]::text[], 'f', 'execute')
     ), audit (oid) as (
       select relid::oid from pg_partition_tree(to_regclass(quote_ident(current_schema()) || '.audit_events'))
     )
     select format('grant usage on schema %I to %I', used, $1::text) as grant
       from unnest(array[current_schema(), 'public']) as used
      where not has_schema_privilege($1, used, 'usage')
     union all
     select format('grant %s on %s to %I', granted, c.oid::regclass, $1)
       from rights join pg_class c on c.relkind::text = any (of_relations)
      where relnamespace = current_schema()::regnamespace and relname not in ('kysely_migration', 'kysely_migration_lock')
        and c.oid not in (select oid from audit) and pg_has_role(relowner, 'usage')
        and exists (select from unnest(string_to_array(granted, ', ')) as wanted
                     where not case kind when 'table' then has_table_privilege($1, c.oid, wanted)
                                         else has_sequence_privilege($1, c.oid, wanted) end)
     union all
     select format('grant select, insert, update, delete on %s to %I', shared.oid, $1)
       from (values (to_regclass('public.cells')), (to_regclass('public.cell_directory'))) as shared (oid)
      where shared.oid is not null and current_schema() <> 'public'
        and not has_table_privilege($1, shared.oid::oid, 'insert')
     union all
     select format('grant select on %s to %I', c.oid::regclass, $1) from pg_class c
      where oid in (to_regclass(quote_ident(current_schema()) || '.kysely_migration'), to_regclass(quote_ident(current_schema()) || '.kysely_migration_lock'))
        and not has_table_privilege($1, oid, 'select')
     union all
     select format('revoke insert, update, delete on %s from %I', c.oid::regclass, $1) from pg_class c
      where oid in (to_regclass(quote_ident(current_schema()) || '.kysely_migration'), to_regclass(quote_ident(current_schema()) || '.kysely_migration_lock'))
        and has_table_privilege($1, oid, 'insert, update, delete')
     union all
     select format('grant select, insert on %s to %I', oid::regclass, $1) from audit
      where not (has_table_privilege($1, oid, 'select') and has_table_privilege($1, oid, 'insert'))
     union all
     select format('revoke update, delete, truncate on %s from %I', oid::regclass, $1) from audit
      where has_table_privilege($1, oid, 'update, delete, truncate')
     union all
     select format('grant execute on routine %s to %I', p.oid::regprocedure, $1) from pg_proc p
      where pronamespace = current_schema()::regnamespace and pg_has_role(proowner, 'usage')
        and not has_function_privilege($1, p.oid, 'execute')
     union all
     select format('alter default privileges in schema %I grant %s on %ss to %I', current_schema(), granted, kind, $1) from rights
      where not exists (select from pg_default_acl d cross join aclexplode(defaclacl) as entry
                         where defaclrole = current_user::regrole and defaclnamespace = current_schema()::regnamespace
                           and defaclobjtype = letter::"char" and entry.grantee = $1::regrole)`,
    [name],
  );
  return rows.map(({ grant }) => grant);
}
