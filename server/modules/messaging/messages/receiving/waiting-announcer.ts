import type { Context } from '#server/context.ts';
import { createPolledService } from '#server/platform/polled-service.ts';
import type { Service } from '#server/platform/service.ts';
import { announceWaiting } from './waiting-messages.ts';

/** Each message waits for longer than that: it is seen before it is due. */
const pollMs = 15_000;
const failsAfterMs = 60_000;

/** Tells of messages that cannot be read yet, each at its time. */
export function createWaitingAnnouncer(ctx: Context): Service {
  return createPolledService(ctx, {
    name: 'waiting-messages',
    pollMs,
    failsAfterMs,
    work: () => announceWaiting(ctx),
  });
}
