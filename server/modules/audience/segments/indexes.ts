import type { ConcurrentIndex } from '#server/platform/db/concurrent-indexes.ts';
import { nameIndexes } from '#server/platform/db/common-indexes.ts';
import type { SegmentTables } from './tables.ts';

/** Indexes added after the first release, on tables that are large by then. */
export const segmentIndexes: readonly ConcurrentIndex<keyof SegmentTables>[] = [...nameIndexes('segments')];
