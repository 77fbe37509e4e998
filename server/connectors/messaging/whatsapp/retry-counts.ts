import type { CacheStore } from 'baileys';
import { BoundedMap } from './bounded-map.ts';

const maxMessages = 5_000;

/** How often a recipient asked for a message again, kept over reconnections so that it ends some time. */
export function createRetryCounts(): CacheStore {
  const counts = new BoundedMap<unknown>(maxMessages);
  return {
    get: ((key) => counts.get(key)) as CacheStore['get'],
    set: (key, value) => counts.set(key, value),
    del: (key) => counts.delete(key),
    flushAll: () => counts.clear(),
  };
}
