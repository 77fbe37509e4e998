import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import pg from 'pg';
import type { Logger } from '#server/platform/logger.ts';
import { idsPerCell, smallIdsPerCell } from '../cell-ids.ts';
import { DatabaseUnavailableError } from '../errors.ts';
import { inSchema } from '../schema.ts';
import { defaultSchema } from '../shared-names.ts';
import { atPlace, findPlace } from './find-place.ts';
import type { Place } from './find-place.ts';

export type FollowedCell = {
  /** Leads to the node that has the cell, wherever that is. */
  connectionString: string;
  /** Of each connection: what a trigger does is planned by Citus, too. */
  settings: readonly string[];
  stop(): void;
};

type Options = { connectionString: string; schema: string; logger: Logger; lookEveryMs?: number };

const answerMs = 10_000;

/**
 * Where the schema is one that Citus has been given, has the process work at the node that has it: only there do triggers,
 * notifications, snapshots and sequences belong together. Once the schema has moved, all connections end, and begin anew
 * at the other node. Answers undefined where no Citus has the schema, as none takes `public`. `connectionString` is the application's, to any node.
 */
export async function followCell(options: Options): Promise<FollowedCell | undefined> {
  const { connectionString, schema, logger, lookEveryMs = 1_000 } = options;
  if (schema === defaultSchema) return undefined;
  const lookout = createLookout(connectionString, schema);
  const found = await lookout.look();
  if (found === undefined) {
    lookout.stop();
    return undefined;
  }
  await arrive(atPlace(connectionString, found), schema);
  let place = found;
  const relay = await startRelay(() => place);
  let isStopped = false;
  let timer: NodeJS.Timeout;

  async function look(): Promise<void> {
    try {
      const now = await lookout.look();
      if (now && (now.host !== place.host || now.port !== place.port)) {
        await arrive(atPlace(connectionString, now), schema);
        place = now;
        relay.cut();
        logger.info({ node: `${now.host}:${now.port}` }, 'the cell has moved to another node of Citus');
      }
    } catch (error) {
      logger.warn({ err: new DatabaseUnavailableError(error) }, 'the node of the cell is not known');
    }
    if (!isStopped) timer = setTimeout(() => void look(), lookEveryMs);
  }

  timer = setTimeout(() => void look(), lookEveryMs);
  return {
    connectionString: atPlace(connectionString, { host: '127.0.0.1', port: relay.port }),
    settings: ['citus.allow_nested_distributed_execution=on'],
    stop() {
      isStopped = true;
      clearTimeout(timer);
      lookout.stop();
      relay.stop();
    },
  };
}

/** Looks by one connection, which is made anew after a fault. */
function createLookout(connectionString: string, schema: string) {
  let client: pg.Client | undefined;

  async function open(): Promise<pg.Client> {
    const next = new pg.Client({
      connectionString,
      application_name: 'dovepost lookout',
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    });
    next.on('error', () => undefined);
    next.once('end', () => {
      if (client === next) client = undefined;
    });
    await next.connect();
    return next;
  }

  const stop = () => {
    void client?.end().catch(() => undefined);
    client = undefined;
  };

  return {
    async look(): Promise<Place | undefined> {
      client ??= await open();
      try {
        return await findPlace(client, schema);
      } catch (error) {
        stop();
        throw error;
      }
    },
    stop,
  };
}

/** The node before may give so many meanwhile. */
const margin = 1_000;

/**
 * Has the node go on with the numbers where the others have ended, as each node counts by itself, but for the clock of
 * records, which all read. Of transactions, a node knows its own.
 */
async function arrive(connectionString: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: inSchema(connectionString, schema), query_timeout: answerMs });
  await client.connect();
  try {
    const { rows } = await client.query<{ number: number }>('select number from public.cells where name = $1', [
      schema,
    ]);
    await client.query(
      `with used as (
         select name, max(last::bigint) as most
           from run_command_on_all_nodes(format(
                  'select json_object_agg(sequencename, last_value) from pg_sequences where schemaname = %L', $1::text)) as node
          cross join lateral json_each_text(node.result::json) as given (name, last)
          where node.success
          group by name
       ), wanted as (
         select sequencename as name, schemaname, last_value,
                greatest(most + $5, 1 + $2 * case data_type when 'bigint'::regtype then $3::bigint else $4::bigint end) as least
           from pg_sequences left join used on used.name = sequencename
          where schemaname = $1 and not cycle and sequencename <> 'record_clock'
       )
       select setval(format('%I.%I', schemaname, name)::regclass, least)
         from wanted where coalesce(last_value, 0) < least - $5`,
      [schema, rows[0]?.number ?? 0, idsPerCell, smallIdsPerCell, margin],
    );
    await client.query('select forget_snapshots()');
  } finally {
    await client.end();
  }
}

/** Passes connections on to where `placeOf` says that a new one leads. */
async function startRelay(placeOf: () => Place) {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const { host, port } = placeOf();
    const far = connect(port, host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.pipe(to);
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    stop() {
      server.close();
      cut();
    },
  };
}
