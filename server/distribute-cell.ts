import pg from 'pg';
import { ConfigError } from '#server/config.ts';
import { prepareDatabase } from '#server/migrate-database.ts';
import { findPlace, hasCitus } from '#server/platform/db/citus/find-place.ts';
import { inSchema } from '#server/platform/db/schema.ts';
import { defaultSchema } from '#server/platform/db/shared-names.ts';

type PrepareOptions = NonNullable<Parameters<typeof prepareDatabase>[1]>;

/** The same address, by which the coordinator of Citus tells its workers nothing of what is made. */
export function withoutWorkers(connectionString: string): string {
  const url = new URL(connectionString);
  const given = url.searchParams.get('options');
  const off = '-c citus.enable_ddl_propagation=off';
  url.searchParams.set('options', given === null ? off : `${given} ${off}`);
  return url.href;
}

/** Tables with triggers that the product made. */
const tablesWithTriggers = `
  select c.oid::regclass::text as name from pg_class c
   where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     and exists (select from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal)`;

/**
 * Gives Citus the cell, with the rows that it has; makes the cell where it is not there yet. None of its processes may run.
 * `connectionString` is the owner's, to the coordinator. Throws `ConfigError`.
 */
export async function distributeCell(
  connectionString: string,
  { schema = defaultSchema, ...options }: PrepareOptions,
): Promise<void> {
  if (schema === defaultSchema)
    throw new ConfigError('DATABASE_SCHEMA', `a schema of its own: Citus takes no ${schema}`);
  const client = new pg.Client({ connectionString: inSchema(connectionString, schema) });
  client.on('error', () => undefined);
  await client.connect();
  try {
    if (!(await hasCitus(client))) throw new ConfigError('DATABASE_URL', 'the coordinator of a Citus');
    if (!(await findPlace(client, schema))) {
      await prepareDatabase(withoutWorkers(connectionString), { schema, ...options });
      await requireStill(client);
      await distribute(client, schema);
    }
  } finally {
    await client.end();
  }
  await prepareDatabase(connectionString, { schema, ...options });
}

/** A process that runs has its connections at the coordinator, and would never learn that the cell has left it. */
async function requireStill(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select from phone_workers where expires_at > clock_timestamp()');
  if (rows.length > 0)
    throw new ConfigError('DATABASE_SCHEMA', 'a cell none of whose processes has run for 15 s: end them first');
}

/** Citus copies each row, for which a trigger would do again what it has done. */
async function distribute(client: pg.Client, schema: string): Promise<void> {
  const { rows: tables } = await client.query<{ name: string }>(tablesWithTriggers);
  const turn = async (state: 'enable' | 'disable') => {
    for (const { name } of tables) await client.query(`alter table ${name} ${state} trigger user`);
  };
  await client.query('set statement_timeout = 0');
  await client.query('begin');
  await turn('disable');
  await client.query('select citus_schema_distribute($1)', [schema]);
  await turn('enable');
  await client.query('commit');
}
