import * as contract from '#contracts/segments.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { countSegments } from './count-segments.ts';
import { createSegment } from './create-segment.ts';
import { deleteSegment } from './delete-segment.ts';
import { listProfileSegments } from './list-profile-segments.ts';
import { listSegments } from './list-segments.ts';
import { listSegmentMembers } from './list-segment-members.ts';
import { presentSegment } from './present.ts';
import { explainSegment } from './explain-segment.ts';
import { listNearlyMembers } from './list-nearly-members.ts';
import { previewSegment, previewSegmentCount } from './preview-segment.ts';
import { getSegmentUsage, listSegmentUses } from './get-segment-usage.ts';
import { getSegmentRow } from './queries.ts';
import { updateSegment } from './update-segment.ts';

export const segmentRoutes: Route[] = [
  route(contract.listSegments, (ctx, { query }) => listSegments(ctx, query)),
  route(contract.createSegment, (ctx, { body }) => createSegment(ctx, body)),
  route(contract.countSegments, (ctx, { query }) => countSegments(ctx, query)),
  route(contract.listSegmentUses, (ctx, { query }) => listSegmentUses(ctx, query)),
  route(contract.getSegment, async (ctx, { params }) => presentSegment(await getSegmentRow(ctx, params.segmentId))),
  route(contract.getSegmentUsage, (ctx, { params }) => getSegmentUsage(ctx, params)),
  route(contract.updateSegment, (ctx, { params, body }) => updateSegment(ctx, { ...params, change: body })),
  route(contract.deleteSegment, async (ctx, { params }) => {
    await deleteSegment(ctx, params);
    return undefined;
  }),
  route(contract.listSegmentMembers, (ctx, { params, query }) => listSegmentMembers(ctx, { ...params, ...query })),
  route(contract.previewSegmentCount, (ctx, { body }) => previewSegmentCount(ctx, body)),
  route(contract.previewSegment, (ctx, { body }) => previewSegment(ctx, body)),
  route(contract.explainSegment, (ctx, { body }) => explainSegment(ctx, body)),
  route(contract.listNearlyMembers, (ctx, { body }) => listNearlyMembers(ctx, body)),
  route(contract.listProfileSegments, (ctx, { params }) => listProfileSegments(ctx, params)),
];
