import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { inSchema } from '../schema.ts';
import { endTurnsOfConnection, shareTurnOfConnection, tryTurnOfConnection } from '../shared-names.ts';
import { findPlace } from './find-place.ts';
import type { Place } from './find-place.ts';

/** Of a statement to a node. */
export const answerMs = 10_000;

/** How long processes that are slow to notice a move are waited for. */
const patienceMs = 5_000;
const pollMs = 100;

/** Tells at the coordinator where the cell is, and there who works at which node. */
export type Lookout = {
  /** Undefined: no Citus has been given the schema. */
  look(): Promise<Place | undefined>;
  /** Says that the process works there, until it leaves or ends. */
  enter(place: Place): Promise<void>;
  /** Says that it does so no longer, and waits a moment for the others to leave, too. Answers whether all have left. */
  leave(place: Place): Promise<boolean>;
  stop(): void;
};

const turnAt = ({ host, port }: Place) => `place ${host}:${port}`;

/** Uses one connection, which is made anew after a fault. */
export function createLookout(connectionString: string, schema: string): Lookout {
  let client: pg.Client | undefined;
  let entered: Place | undefined;

  async function open(): Promise<pg.Client> {
    const next = new pg.Client({
      connectionString: inSchema(connectionString, schema),
      application_name: 'dovepost lookout',
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    });
    next.on('error', () => undefined);
    next.once('end', () => {
      if (client === next) client = undefined;
    });
    await next.connect();
    if (entered) await shareTurnOfConnection(next, turnAt(entered));
    return next;
  }

  const stop = () => {
    void client?.end().catch(() => undefined);
    client = undefined;
  };

  async function ask<Answer>(work: (connected: pg.Client) => Promise<Answer>): Promise<Answer> {
    try {
      return await work((client ??= await open()));
    } catch (error) {
      // Its locks end with it.
      stop();
      throw error;
    }
  }

  return {
    look: () => ask((connected) => findPlace(connected, schema)),
    enter: (place) =>
      ask(async (connected) => {
        await shareTurnOfConnection(connected, turnAt(place));
        entered = place;
      }),
    leave: (place) =>
      ask(async (connected) => {
        entered = undefined;
        await endTurnsOfConnection(connected);
        const deadline = performance.now() + patienceMs;
        let isEmpty = await tryTurnOfConnection(connected, turnAt(place));
        while (!isEmpty && performance.now() < deadline) {
          await delay(pollMs);
          isEmpty = await tryTurnOfConnection(connected, turnAt(place));
        }
        await endTurnsOfConnection(connected);
        return isEmpty;
      }),
    stop,
  };
}
