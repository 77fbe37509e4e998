export { conditionOf } from './present.ts';
export { findSegmentRow, getSegmentRow, holdSegment } from './queries.ts';
export { segmentRoutes } from './routes.ts';
