import { streamEvents } from '#contracts/live.ts';
import { route } from '#server/route.ts';
import { streamLiveEvents } from './event-streams.ts';

/** At the path of the list of events, whose module mounts it. */
export const liveStream = route(streamEvents, async (ctx, { query }, { reply }) => {
  await streamLiveEvents(ctx, reply, query.missed_ms);
  return undefined;
});
