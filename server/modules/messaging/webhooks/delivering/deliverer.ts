import type { Context } from '#server/context.ts';
import { createPolling } from '#server/platform/polling.ts';
import { createRunner } from '#server/platform/runner.ts';
import { createHealth } from '#server/platform/service.ts';
import type { Service } from '#server/platform/service.ts';
import { createPublicResolver, resolveWithSystem } from '#server/platform/http/resolve-host.ts';
import type { ResolveHost } from '#server/platform/http/resolve-host.ts';
import { createWebhookSender } from '../sending/send-webhook.ts';
import { findDueEndpoints } from './claim-due-webhooks.ts';
import { createRecordDelivery } from './deliver-record.ts';
import { createDispatcher } from './dispatcher.ts';
import { sendEndpointNotices } from './endpoint-notices.ts';
import { webhooksChannel } from '../channels.ts';

/** Attempts under way at a stop get `drainMs` (5 s) to finish; the others go back. */
export type WebhookDeliverer = Omit<Service, 'stop'> & { stop(drainMs?: number): Promise<void> };

const defaultDrainMs = 5_000;

/** A poll comes twice in it. */
const failsAfterMs = 75_000;
/** Of a mail server that takes its time, one mail after another. */
const noticesFailAfterMs = 15 * 60_000;

export type DelivererOptions = {
  /** For one attempt, name lookup included. */
  deadlineMs: number;
  /** How long a record waits when the process that claimed it died; longer than the deadline. */
  leaseMs: number;
  /** Poll interval, in case a notification was missed. */
  pollMs: number;
  resolveHost: ResolveHost;
  random: () => number;
};

/** Sends the webhook records that are due. */
export function createWebhookDeliverer(ctx: Context, overrides: Partial<DelivererOptions> = {}): WebhookDeliverer {
  const isPrivateAllowed = ctx.config.areWebhooksToPrivateAddressesAllowed;
  const options = {
    deadlineMs: 15_000,
    leaseMs: 30_000,
    pollMs: 30_000,
    resolveHost: isPrivateAllowed ? resolveWithSystem : createPublicResolver(),
    random: Math.random,
    ...overrides,
  };
  const sender = createWebhookSender({ ...options, isPrivateAllowed });
  const health = createHealth({ service: 'webhooks', logger: ctx.logger });
  let isStopped = false;
  const notices = createRunner(
    () => sendEndpointNotices(ctx, () => isStopped),
    health.task('notices', { failsAfterMs: noticesFailAfterMs }),
  );
  const deliverRecord = createRecordDelivery(ctx, {
    sender,
    health,
    random: options.random,
    onSwitchedOff: notices.request,
  });
  const dispatcher = createDispatcher(ctx, {
    leaseMs: options.leaseMs,
    deliverRecord,
    claiming: health.task('claiming', { failsAfterMs }),
  });
  let oldestDueAt = Infinity;
  health.gauge({
    name: 'dovepost_oldest_waiting_seconds',
    help: 'Age of the oldest that waits, by kind',
    labels: { kind: 'webhook' },
    read: () => Math.max(0, ctx.clock.now().getTime() - oldestDueAt) / 1000,
  });
  const poll = createRunner(
    async () => {
      const due = await findDueEndpoints(ctx);
      for (const { accountId, queueId, dueAt } of due) dispatcher.wake({ accountId, queueId }, dueAt.getTime());
      // A server that takes nothing is its owner's to mend, who is alerted.
      const waiting = due.filter(({ isFailing }) => !isFailing);
      oldestDueAt = waiting.reduce((oldest, { dueAt }) => Math.min(oldest, dueAt.getTime()), Infinity);
    },
    health.task('poll', { failsAfterMs }),
  );
  const polling = createPolling(ctx.listener, {
    channels: {
      [webhooksChannel](payload) {
        const [accountId, queueId] = JSON.parse(payload) as [number, number];
        dispatcher.wake({ accountId, queueId }, ctx.clock.now().getTime());
      },
    },
    pollMs: options.pollMs,
    poll() {
      poll.request();
      notices.request();
    },
  });

  return {
    name: 'webhooks',
    health: health.report,
    start: async () => polling.start(),
    async stop(drainMs = defaultDrainMs) {
      isStopped = true;
      polling.stop();
      await Promise.all([poll.stop(), notices.stop()]);
      await dispatcher.stop(drainMs);
      await sender.close();
    },
  };
}
