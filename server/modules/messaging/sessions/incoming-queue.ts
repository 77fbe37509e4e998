import { setTimeout as delay } from 'node:timers/promises';
import type { IncomingMessage } from '#server/connectors/messaging/port.ts';
import { createBatcher } from '#server/platform/batcher.ts';
import { isTransient } from '#server/platform/db/errors.ts';

const maxTogether = 50;
/** So many at once are a backlog: each batch is followed by a pause as long as itself, in which others have their turn. */
const backlog = 10;
/** A connection is given up within it, and comes back later. */
const givenUpWithinMs = 250;

/** Stores the messages that come to a phone, in their order: those that come while others are stored, together. */
export type IncomingQueue<R> = (message: IncomingMessage) => Promise<R>;

/**
 * Where messages cannot be stored for now, those behind them are not stored either: they come again as well, and would
 * overtake them.
 */
export function createIncomingQueue<R>(
  store: (messages: IncomingMessage[]) => Promise<readonly R[]>,
): IncomingQueue<R> {
  let failure: { error: unknown; at: number } | undefined;
  let restsUntil = 0;

  async function storeBatch(messages: IncomingMessage[]): Promise<readonly R[]> {
    if (failure && performance.now() - failure.at < givenUpWithinMs) throw failure.error;
    const startedAt = performance.now();
    if (startedAt < restsUntil) await delay(restsUntil - startedAt);
    const begunAt = performance.now();
    try {
      const results = await store(messages);
      if (messages.length > backlog) restsUntil = 2 * performance.now() - begunAt;
      return results;
    } catch (error) {
      if (isTransient(error)) failure = { error, at: performance.now() };
      throw error;
    }
  }

  const batcher = createBatcher(storeBatch, { maxItems: maxTogether });
  return (message) => batcher.add(message);
}
