export { criteriaOfSegment } from './criteria.ts';
export { findSegmentRow, getSegmentRow, holdSegment } from './queries.ts';
export { deleteSegment } from './delete-segment.ts';
export { segmentFilter } from './list-segments.ts';
export { segmentRoutes } from './routes.ts';
