import pg from 'pg';
import { defaultSchema } from '../shared-names.ts';

/** A node of Citus, as the nodes know one another. */
export type Place = { host: string; port: number };

export async function hasCitus(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("select from pg_extension where extname = 'citus'");
  return rows.length > 0;
}

/** The node that has the schema's tables; undefined: there is no Citus, or it has not been given the schema. */
export async function findPlace(client: pg.Client, schema: string): Promise<Place | undefined> {
  if (!(await hasCitus(client))) return undefined;
  // All tables of a schema lie together.
  const { rows } = await client.query<Place>(
    `select n.nodename as host, n.nodeport as port
       from pg_dist_schema s
       join pg_dist_partition p on p.colocationid = s.colocationid
       join pg_dist_shard using (logicalrelid)
       join pg_dist_placement using (shardid)
       join pg_dist_node n using (groupid)
      where s.schemaid = to_regnamespace($1) and n.noderole = 'primary'
      limit 1`,
    [schema],
  );
  return rows[0];
}

/** The address at the node that has the schema; the same where no Citus has it, as none takes `public`. */
export async function atHome(connectionString: string, schema: string): Promise<string> {
  if (schema === defaultSchema) return connectionString;
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const place = await findPlace(client, schema);
    return place ? atPlace(connectionString, place) : connectionString;
  } finally {
    await client.end();
  }
}

/** The same address of the database, at another node. */
export function atPlace(connectionString: string, { host, port }: Place): string {
  const url = new URL(connectionString);
  url.hostname = host;
  url.port = String(port);
  return url.href;
}
