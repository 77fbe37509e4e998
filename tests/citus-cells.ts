import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { distributeCell, withoutWorkers } from '#server/distribute-cell.ts';
import { prepareDatabase } from '#server/migrate-database.ts';
import { atPlace, findPlace } from '#server/platform/db/citus/find-place.ts';
import type { Place } from '#server/platform/db/citus/find-place.ts';
import { retryConflicts } from '#server/platform/db/retry-conflicts.ts';
import { inSchema } from '#server/platform/db/schema.ts';

/** A schema that Citus has been given. */
export type CitusCell = {
  schema: string;
  /** The owner's, in the schema. */
  connectionString: string;
  place(): Promise<Place>;
  /** To the next worker that does not have it. */
  move(): Promise<void>;
  /** Ends all connections to the node that has it but those of Citus itself. */
  cutConnections(): Promise<void>;
  drop(): Promise<void>;
};

/**
 * As an operator makes one. `url` is a superuser's, who owns the cell, to the coordinator. `furnish` is called with the
 * owner's address before Citus is given the cell.
 */
export async function makeCitusCell(
  url: string,
  furnish?: (connectionString: string) => Promise<void>,
): Promise<CitusCell> {
  const schema = `cell_${randomBytes(4).toString('hex')}`;
  await prepareDatabase(withoutWorkers(url), { schema });
  await furnish?.(inSchema(withoutWorkers(url), schema));
  await distributeCell(url, { schema });

  async function place(): Promise<Place> {
    const found = await withClient(url, (client) => findPlace(client, schema));
    if (!found) throw new Error(`Citus does not have ${schema}`);
    return found;
  }

  return {
    schema,
    connectionString: inSchema(url, schema),
    place,
    async move() {
      const { host, port } = await place();
      const others = await run<Place>(
        url,
        `select nodename as host, nodeport as port from pg_dist_node
          where groupid <> 0 and isactive and shouldhaveshards and (nodename, nodeport) <> ($1, $2::int)`,
        [host, port],
      );
      const move = () =>
        run(url, `select citus_schema_move($1::text::regnamespace, $2, $3, 'block_writes')`, [
          schema,
          others[0]?.host,
          others[0]?.port,
        ]);
      await retryConflicts(move);
    },
    async cutConnections() {
      const own = `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'dovepost%'`;
      await run(atPlace(url, await place()), own);
    },
    async drop() {
      await run(url, `drop schema if exists ${schema} cascade`);
      await run(url, 'delete from public.cells where name = $1', [schema]);
    },
  };
}

const run = <Row extends pg.QueryResultRow>(url: string, text: string, values?: unknown[]): Promise<Row[]> =>
  withClient(url, async (client) => (await client.query<Row>(text, values)).rows);

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
