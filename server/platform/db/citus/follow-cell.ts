import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import pg from 'pg';
import type { Logger } from '#server/platform/logger.ts';
import { idsPerCell, mostCells } from '../cell-ids.ts';
import { inSchema } from '../schema.ts';
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
 * at the other node. Answers undefined where no Citus has the schema. `connectionString` is the application's, to any node.
 */
export async function followCell(options: Options): Promise<FollowedCell | undefined> {
  const { connectionString, schema, logger, lookEveryMs = 1_000 } = options;
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
      logger.warn(
        { fault: error instanceof Error ? error.message : String(error) },
        'the node of the cell is not known',
      );
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

/** How far a sequence goes ahead of what is known to be used: of tokens, those of leases that have been given back. */
const margin = 1_000_000;

/**
 * Has the node go on with the numbers where the others have ended: each node counts by itself. Ids that Citus has given
 * their place by node get one by cell within it. Transactions of another node are waited for in vain.
 */
async function arrive(connectionString: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: inSchema(connectionString, schema), query_timeout: answerMs });
  await client.connect();
  try {
    const { rows } = await client.query<{ number: number }>('select number from public.cells where name = $1', [
      schema,
    ]);
    const number = rows[0]?.number ?? 0;
    await client.query(
      `select setval(format('%I.%I', schemaname, sequencename)::regclass, first, false)
         from (select *, min_value + $2::bigint * case data_type when 'bigint'::regtype then $3::bigint
                                                    else (max_value - min_value) / $4::int end as first
                 from pg_sequences where schemaname = $1 and not cycle and min_value > 1) as own
        where coalesce(last_value, 0) < first`,
      [schema, number, idsPerCell, mostCells],
    );
    for (const [sequence, used] of sequencesByUse) {
      const { rows: reached } = await client.query<{ most: string }>(`select (${used}) + ${margin} as most`);
      await client.query(`select setval($1::regclass, $2) from ${sequence} where last_value < $2 - ${margin}`, [
        sequence,
        reached[0]?.most,
      ]);
    }
    await client.query(
      'update audience_work set ready_from = pg_snapshot_xmax(pg_current_snapshot()) where ready_from is not null',
    );
    await client.query(
      'update typed_fields set fills_from = pg_snapshot_xmax(pg_current_snapshot()) where fills_from is not null',
    );
  } finally {
    await client.end();
  }
}

const sequencesByUse = [
  [
    'lease_token_seq',
    `select greatest((select coalesce(max(token), 0) from phone_leases), (select coalesce(max(epoch), 0) from phone_workers))`,
  ],
  ['draft_revisions', 'select coalesce(max(revision), 0) from drafts'],
] as const;

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
