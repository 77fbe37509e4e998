import pg from 'pg';
import { defaultSchema } from '../shared-names.ts';
import { atPlace, findPlace } from './find-place.ts';
import type { Place } from './find-place.ts';

/** Make and drop partitions, which the coordinator does for all nodes. */
const ofCoordinator = [
  'ensure_month_partitions',
  'drop_months_before',
  'ensure_request_log_days',
  'drop_request_log_before',
];

/** Read by the cells of all nodes. */
const shared = ['public.cells', 'public.cell_directory'];

/**
 * Makes a schema that Citus has been given ready to be served from its node, and again after migrations, which replace
 * functions; does nothing without Citus, and for `public`, which Citus does not take. `connectionString` is the owner's, without a schema.
 */
export async function readyCell(connectionString: string, schema: string, role: string | undefined): Promise<void> {
  if (schema === defaultSchema) return;
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    if ((await findPlace(client, schema)) === undefined) return;
    for (const table of shared) await shareTable(client, table);
    await allowNestedWork(client);
    await keepDdlWithCoordinator(client, schema);
    await client.query(stableFunctions(pg.escapeIdentifier(schema)));
    await runEach(client, functionsWithoutPath, [schema, pathOf(schema)]);
    await runEach(client, functionsOfCoordinatorAlone, [schema]);
    for (const worker of await listWorkers(client))
      await readyWorker(client, { worker, connectionString, schema, role });
  } finally {
    await client.end();
  }
}

/** A worker's connection to itself has no search path of the cell. */
const pathOf = (schema: string) => `${pg.escapeIdentifier(schema)}, pg_catalog, public, pg_temp`;

/** Runs the statements that a query answers. */
async function runEach(client: pg.Client, listed: string, values: unknown[]): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(listed, values);
  for (const { statement } of rows) await client.query(statement);
}

/** Triggers ask for rows of the cell. Connections of the nodes to one another have no settings but the database's. */
async function allowNestedWork(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select current_database() as name
      where not exists (select from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
                         where d.datname = current_database() and s.setrole = 0 and $1 = any(s.setconfig))`,
    ['citus.allow_nested_distributed_execution=on'],
  );
  for (const { name } of rows) {
    await client.query(`alter database ${pg.escapeIdentifier(name)} set citus.allow_nested_distributed_execution = on`);
  }
}

async function shareTable(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query('select from pg_dist_partition where logicalrelid = $1::regclass', [table]);
  if (rows.length === 0) await client.query('select citus_add_local_table_to_metadata($1::regclass)', [table]);
}

/**
 * Citus takes no volatile function in an update. These are found before PostgreSQL's own, as the cell comes first in the
 * search path, and are evaluated once a statement.
 */
const stableFunctions = (schema: string) => `
  create or replace function ${schema}.clock_timestamp() returns timestamptz language sql stable parallel safe
    set search_path = pg_catalog as 'select pg_catalog.clock_timestamp()';
  create or replace function ${schema}.nextval(name text) returns bigint language sql stable
    set search_path = ${schema}, pg_catalog as 'select pg_catalog.nextval(name::regclass)'`;

const functionsWithoutPath = `
  select format('alter function %s set search_path = %s', p.oid::regprocedure, $2::text) as statement
    from pg_proc p
   where pronamespace = to_regnamespace($1) and prosqlbody is null and proname not in ('clock_timestamp', 'nextval')
     and not coalesce('search_path=' || $2 = any (proconfig), false)`;

/** Triggers run where the rows are. */
const functionsOfCoordinatorAlone = `
  select format('select create_distributed_function(%L)', p.oid::regprocedure) as statement from pg_proc p
   where pronamespace = to_regnamespace($1)
     and not exists (select from pg_catalog.pg_dist_object d where d.classid = 'pg_proc'::regclass and d.objid = p.oid)`;

/** A worker has the coordinator do what only that may. The function that a migration made goes on under another name. */
async function keepDdlWithCoordinator(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ name: string; of: string; names: string[]; result: string }>(
    `select proname as name, pg_get_function_identity_arguments(oid) as of, proargnames as names,
            pg_get_function_result(oid) as result
       from pg_proc
      where pronamespace = to_regnamespace($1) and proname = any ($2) and prosrc not like '%run_command_on_coordinator%'`,
    [schema, ofCoordinator],
  );
  const cell = pg.escapeIdentifier(schema);
  for (const { name, of, names, result } of rows) {
    const given = names.join(', ');
    const literals = names.map(() => '%L').join(', ');
    await client.query(`
      drop function if exists ${cell}.${name}_here(${of});
      alter function ${cell}.${name}(${of}) rename to ${name}_here;
      create function ${cell}.${name}(${of}) returns ${result} language plpgsql security definer as $$
      declare
        answer record;
      begin
        if (select groupid from pg_dist_local_group) = 0 then
          ${result === 'void' ? `perform ${name}_here(${given}); return;` : `return ${name}_here(${given});`}
        end if;
        select success, result as text into answer
          from run_command_on_coordinator(format('select ${cell}.${name}_here(${literals})', ${given}));
        if not answer.success then
          raise exception '%', answer.text;
        end if;
        ${result === 'void' ? '' : `return answer.text::${result};`}
      end $$;
      revoke execute on function ${cell}.${name}(${of}) from public`);
  }
}

async function listWorkers(client: pg.Client): Promise<Place[]> {
  const { rows } = await client.query<Place>(
    `select nodename as host, nodeport as port from pg_dist_node
      where groupid <> 0 and noderole = 'primary' and isactive and shouldhaveshards`,
  );
  return rows;
}

type Worker = { worker: Place; connectionString: string; schema: string; role: string | undefined };

/**
 * Citus gives a worker the tables with their own sequences, in a range of the node's; the other sequences and rights to
 * views are as here. Ids have their place by cell (`registerCell`), whichever node gives them.
 */
async function readyWorker(client: pg.Client, { worker, connectionString, schema, role }: Worker): Promise<void> {
  const { rows: here } = await client.query<{ statement: string }>(`${sequencesOfNoTable} union all ${grantsOfRole}`, [
    schema,
    role ?? null,
  ]);
  const own = new pg.Client({ connectionString: atPlace(connectionString, worker) });
  await own.connect();
  try {
    await own.query('set citus.enable_ddl_propagation = off');
    await allowNestedWork(own);
    for (const { statement } of here) await own.query(statement);
    await runEach(own, sequencesInRangeOfNode, [schema]);
  } finally {
    await own.end();
  }
}

const sequencesOfNoTable = `
  select format('create sequence if not exists %I.%I minvalue %s maxvalue %s %s', $1::text, relname, seqmin, seqmax,
                case when seqcycle then 'cycle' else '' end) as statement
    from pg_class c join pg_sequence on seqrelid = c.oid
   where relnamespace = to_regnamespace($1)
     and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i'))`;

const sequencesInRangeOfNode = `
  select format('alter sequence %I.%I no minvalue no maxvalue restart 1', schemaname, sequencename) as statement
    from pg_sequences where schemaname = $1 and min_value > 1`;

const grantsOfRole = `
  select format('grant %s on %s %I.%I to %I', granted, kind, $1::text, relname, $2::text) as statement
    from (values ('S', 'usage, select, update', 'sequence'), ('v', 'select, insert, update, delete', 'table'))
           as rights (relkind, granted, kind)
    join pg_class c on c.relkind::text = rights.relkind
   where relnamespace = to_regnamespace($1) and $2::text is not null
   union all
  select format('grant execute on all functions in schema %I to %I', $1::text, $2::text) where $2::text is not null`;
