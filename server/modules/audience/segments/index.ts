export { criteriaOf, criteriaOfSegment, noCondition } from './criteria.ts';
export { findPerson } from './explain-segment.ts';
export { findSegmentRow, findSharedSegment, getSegmentRow, holdSegment } from './queries.ts';
export { deleteSegment, requireUnusedSegment } from './delete-segment.ts';
export { segmentFilter } from './list-segments.ts';
export {
  createOwnSegment,
  deleteOwnSegment,
  expressionOfAudience,
  namesSegment,
  requireAudience,
  withoutSegments,
} from './own-audience.ts';
export type { NamedAudience } from './tables.ts';
export { fieldsIn } from './criteria.ts';
export { segmentRoutes } from './routes.ts';
export { announceToSegments } from './watching/announce-to-segments.ts';
export { removeOldMoves } from './watching/remove-old-moves.ts';
export { createSegmentWatcher } from './watching/segment-watcher.ts';
