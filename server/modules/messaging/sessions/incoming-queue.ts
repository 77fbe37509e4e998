import type { IncomingMessage } from '#server/connectors/messaging/port.ts';
import { createBatcher } from '#server/platform/batcher.ts';
import { isTransient } from '#server/platform/db/errors.ts';

const maxTogether = 50;
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

  async function storeBatch(messages: IncomingMessage[]): Promise<readonly R[]> {
    if (failure && performance.now() - failure.at < givenUpWithinMs) throw failure.error;
    try {
      return await store(messages);
    } catch (error) {
      if (isTransient(error)) failure = { error, at: performance.now() };
      throw error;
    }
  }

  const batcher = createBatcher(storeBatch, { maxItems: maxTogether });
  return (message) => batcher.add(message);
}
