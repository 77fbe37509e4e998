import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '#server/platform/logger.ts';
import { idsPerCell, smallIdsPerCell } from '../cell-ids.ts';
import { DatabaseUnavailableError } from '../errors.ts';
import { inSchema } from '../schema.ts';
import { defaultSchema, takeTurnOfConnection } from '../shared-names.ts';
import { atPlace } from './find-place.ts';
import type { Place } from './find-place.ts';
import { answerMs, createLookout } from './lookout.ts';
import { startRelay } from './relay.ts';

export type FollowedCell = {
  /** Leads to the node that has the cell, wherever that is. */
  connectionString: string;
  stop(): void;
};

/** Of a start. Each lasts as long as `answerMs` where the node says nothing. */
const mostAttempts = 12;

type Options = { connectionString: string; schema: string; logger: Logger; lookEveryMs?: number };

/**
 * Where the schema is one that Citus has been given, has the process work at the node that has it: only there do triggers,
 * notifications, snapshots and sequences belong together. Once the schema has moved, all connections end; they begin anew
 * at the other node after all processes of the cell have left the first, as ids of two nodes are in no order. Answers
 * undefined where no Citus has the schema, as none takes `public`. `connectionString` is the application's, to any node.
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
  let place = found;
  let arrival = Promise.withResolvers<Place>();
  let hasArrived = false;
  await begin();
  const relay = await startRelay(() => arrival.promise);
  let isStopped = false;
  let timer = setTimeout(() => void follow(), lookEveryMs);

  async function arriveAt(next: Place): Promise<void> {
    await arrive(atPlace(connectionString, next), schema);
    await lookout.enter(next);
    place = next;
    hasArrived = true;
    arrival.resolve(next);
  }

  /** While the cell is being moved, neither node can be used: that is waited for. */
  async function begin(): Promise<void> {
    for (let attempt = 1; !hasArrived; attempt += 1) {
      try {
        await arriveAt((await lookout.look()) ?? place);
      } catch (error) {
        if (attempt === mostAttempts) {
          lookout.stop();
          throw error;
        }
        logger.warn({ err: new DatabaseUnavailableError(error) }, 'the node of the cell cannot be used yet');
        await delay(lookEveryMs);
      }
    }
  }

  async function leave(): Promise<void> {
    hasArrived = false;
    arrival = Promise.withResolvers();
    relay.cut();
    const isEmpty = await lookout.leave(place);
    if (!isEmpty) logger.warn('a process of the cell still works at the node that the cell has left');
  }

  async function look(): Promise<void> {
    const next = await lookout.look();
    if (next === undefined || (hasArrived && isSame(next, place))) return;
    if (hasArrived) await leave();
    await arriveAt(next);
    logger.info({ node: `${next.host}:${next.port}` }, 'the cell has moved to another node of Citus');
  }

  async function follow(): Promise<void> {
    await look().catch((error: unknown) =>
      logger.warn({ err: new DatabaseUnavailableError(error) }, 'the node of the cell is not known'),
    );
    if (!isStopped) timer = setTimeout(() => void follow(), lookEveryMs);
  }

  return {
    connectionString: atPlace(connectionString, { host: '127.0.0.1', port: relay.port }),
    stop() {
      isStopped = true;
      clearTimeout(timer);
      lookout.stop();
      relay.stop();
    },
  };
}

const isSame = (one: Place, other: Place) => one.host === other.host && one.port === other.port;

/** The node before may give so many meanwhile. */
const margin = 1_000;

/**
 * Has the node go on with the numbers where the others have ended, as each node counts by itself, but for the clock of
 * records, which all read. Of transactions, a node knows its own.
 */
async function arrive(connectionString: string, schema: string): Promise<void> {
  const client = new pg.Client({
    connectionString: inSchema(connectionString, schema),
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    // Of several that arrive, each begins where the ones before have ended.
    await takeTurnOfConnection(client, 'arrival');
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
