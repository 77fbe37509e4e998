export { announceCredentials, announceProjectKeys, departureNotifications } from './announce-revoked.ts';
export { countOpenStreams, endLiveStreams } from './event-streams.ts';
export { createKeptKeys } from './kept-keys.ts';
export { liveNotifications, notifyLive, publishAllLive, publishLive } from './publish-live.ts';
export { liveStream } from './routes.ts';
export { subscribeLive } from './subscribe-live.ts';
export { watchLive } from './watch-live.ts';
