import pg from 'pg';
import { withServerLock } from './server-lock.ts';
import { defaultSchema } from './shared-names.ts';

/** Found in `public` by the products of all schemas, whichever of them makes it. */
const extensions = ['pg_trgm', 'btree_gin'];

/** The setting of a connection that works in the schema; undefined: as the role has it. */
export function searchPathOf(schema: string): string | undefined {
  return schema === defaultSchema ? undefined : `search_path="${schema}",pg_catalog,${defaultSchema}`;
}

/** The address of PostgreSQL itself, whose connections work in the schema. A pooler would refuse what is added. */
export function inSchema(connectionString: string, schema: string): string {
  const searchPath = searchPathOf(schema);
  if (searchPath === undefined) return connectionString;
  const url = new URL(connectionString);
  const given = url.searchParams.get('options');
  url.searchParams.set('options', `${given === null ? '' : `${given} `}-c ${searchPath}`);
  return url.href;
}

/** Makes the schema where it is not there yet; answers the address of the database with it. `connectionString` is the owner's. */
export async function openSchema(connectionString: string, schema: string): Promise<string> {
  if (schema === defaultSchema) return connectionString;
  await withServerLock(connectionString, 'dovepost schemas', async (client) => {
    for (const name of extensions) await client.query(`create extension if not exists ${name} schema ${defaultSchema}`);
    const { rows } = await client.query<{ is_there: boolean }>('select to_regnamespace($1) is not null as is_there', [
      schema,
    ]);
    if (!rows[0]?.is_there) await client.query(`create schema ${pg.escapeIdentifier(schema)}`);
  });
  return inSchema(connectionString, schema);
}
