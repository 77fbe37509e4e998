import { streamEvents } from '#contracts/live.ts';
import type { Route } from '#server/route.ts';
import { route } from '#server/route.ts';
import { streamLiveEvents } from './event-streams.ts';

export const liveRoutes: Route[] = [
  route(streamEvents, async (ctx, { query }, { reply }) => {
    await streamLiveEvents(ctx, reply, query.missed_ms);
    return undefined;
  }),
];
