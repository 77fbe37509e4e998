import { streamEvents } from '#contracts/live.ts';
import type { Route } from '#server/route.ts';
import { route } from '#server/route.ts';
import { streamLiveEvents } from './event-streams.ts';

export const liveRoutes: Route[] = [
  route(streamEvents, async (ctx, _input, { reply }) => {
    await streamLiveEvents(ctx, reply);
    return undefined;
  }),
];
