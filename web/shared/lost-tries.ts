import { ApiError } from './api-error.ts';
import { randomId } from './random-id.ts';

/** Somebody who does the same later means it anew. */
const keptMs = 10 * 60_000;

/** The keys of tries whose answer was lost, by what they asked. */
const lostTries = new Map<string, { key: string; at: number }>();

/**
 * Sends under an Idempotency-Key: the same again, after a try that may have taken effect though nobody was told, has the
 * key of that try, so that it takes effect once.
 */
export async function sendOnce<Answer>(asked: string, send: (key: string) => Promise<Answer>): Promise<Answer> {
  const lost = lostTries.get(asked);
  lostTries.delete(asked);
  const key = lost !== undefined && performance.now() - lost.at < keptMs ? lost.key : randomId();
  try {
    return await send(key);
  } catch (error) {
    if (isLost(error)) lostTries.set(asked, { key, at: performance.now() });
    throw error;
  }
}

/** Offline, nothing was sent. */
const isLost = (error: unknown) =>
  error instanceof ApiError &&
  (error.code === 'unreachable' || error.code === 'idempotency_in_progress' || error.status >= 500);
