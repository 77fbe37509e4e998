import pg from 'pg';

export type ApplicationRole = {
  name: string;
  /** Undefined: the role is there already, and its password somebody else's affair. */
  password?: string;
};

/**
 * Lets the application's role do its work and no more: read and write every table there is, or will be, in the schema
 * `public`, and own nothing. `connectionString` is the owner's. May be repeated, and by several starts at once.
 */
export async function admitApplication(connectionString: string, { name, password }: ApplicationRole): Promise<void> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const role = pg.escapeIdentifier(name);
    await client.query('begin');
    await client.query("select pg_advisory_xact_lock(hashtextextended('dovepost migrations', 0))");
    const { rows } = await client.query('select current_user = $1 as is_owner', [name]);
    if (rows[0]?.is_owner !== true) {
      if (password !== undefined) await ensureLogin(client, name, password);
      for (const grant of grants(role)) await client.query(grant);
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
}

async function ensureLogin(client: pg.Client, name: string, password: string): Promise<void> {
  const role = pg.escapeIdentifier(name);
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name]);
  const attributes = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';
  await client.query(
    `${rowCount === 0 ? 'create' : 'alter'} role ${role} ${attributes} password ${pg.escapeLiteral(password)}`,
  );
}

function grants(role: string): string[] {
  const rights = { tables: 'select, insert, update, delete', sequences: 'usage, select, update', functions: 'execute' };
  return [
    `grant usage on schema public to ${role}`,
    ...Object.entries(rights).flatMap(([kind, right]) => [
      `grant ${right} on all ${kind} in schema public to ${role}`,
      `alter default privileges in schema public grant ${right} on ${kind} to ${role}`,
    ]),
    // What has been migrated is the owner's to know and to change.
    `revoke insert, update, delete on kysely_migration, kysely_migration_lock from ${role}`,
  ];
}
