import * as contract from '#contracts/events.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { listEventNames } from './list-event-names.ts';
import { listEvents } from './list-events.ts';
import { trackEvent, trackEvents } from './track-events.ts';

export const eventRoutes = (stream: Route): Route[] => [
  route(contract.track, (ctx, { body }) => trackEvent(ctx, body)),
  route(contract.trackBatch, (ctx, { body }) => trackEvents(ctx, body)),
  route(contract.listTrackedEvents, (ctx, { query }) => listEvents(ctx, query), { stream }),
  route(contract.listEventNames, (ctx, { query }) => listEventNames(ctx, query)),
];
