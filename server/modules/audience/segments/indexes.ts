import type { ConcurrentIndex } from '#server/platform/db/concurrent-indexes.ts';
import { nameIndexes } from '#server/platform/db/common-indexes.ts';
import type { SegmentTables } from './tables.ts';

/** Those since the first release, of tables that are large by then. */
export const segmentIndexes: readonly ConcurrentIndex<keyof SegmentTables>[] = [...nameIndexes('segments')];
