import { getProfileTimeline } from '#contracts/timeline.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { readTimeline } from './read-timeline.ts';

export const timelineRoutes: Route[] = [
  route(getProfileTimeline, (ctx, { params, query }) => readTimeline(ctx, { ...params, ...query })),
];
