export { criteriaOf, criteriaOfSegment, namesDeleted, noCondition } from './criteria.ts';
export { findSegmentRow, findSharedSegment, getSegmentRow, holdSegment, requireSegments } from './queries.ts';
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
export { requireExpression } from './require-expression.ts';
export type { NamedAudience } from './tables.ts';
export { fieldsIn } from './criteria.ts';
export { segmentRoutes } from './routes.ts';
export { noteDailyCounts } from './daily-counts.ts';
export { removeOldMoves } from './following/remove-old-moves.ts';
export { segmentSource } from './following/segment-source.ts';
