import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '#server/context.ts';
import { createPolledService } from '#server/platform/polled-service.ts';
import type { Service } from '#server/platform/service.ts';
import { notificationsChannel } from './channels.ts';
import { mailDigests } from './mail-digests.ts';
import { sendPushes } from './push/send-pushes.ts';
import { workOffCauses } from './work-off-causes.ts';

const pollMs = 5_000;
/** The causes that come meanwhile share the next run: under load every message that arrives is one. */
const pauseMs = 250;
/** Push services that are slow to answer hold a round up for as long as their deadline. */
const failsAfterMs = 5 * 60_000;

/** Tells members what happened: on their pages at once, by push, and by mail once it has been unread for a while. */
export function createNotifier(ctx: Context): Service {
  return createPolledService(ctx, {
    name: 'notifications',
    channels: [notificationsChannel],
    pollMs,
    failsAfterMs,
    async work({ isStopped }) {
      const isAny = await workOffCauses(ctx, isStopped);
      await mailDigests(ctx, isStopped);
      await sendPushes(ctx, isStopped);
      if (isAny && !isStopped()) await delay(pauseMs);
    },
  });
}
