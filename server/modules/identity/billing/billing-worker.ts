import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '#server/context.ts';
import { createPolling } from '#server/platform/polling.ts';
import { createRunner } from '#server/platform/runner.ts';
import { createHealth } from '#server/platform/service.ts';
import type { Service } from '#server/platform/service.ts';
import { workOffEvents } from './events/work-off-events.ts';
import { sendDueNotices } from './notices/send-due-notices.ts';
import { recordStalePayments } from './payments/record-payments.ts';
import { reconcileSubscriptions } from './reconcile-subscriptions.ts';
import { billingChannel } from './channels.ts';

const pollMs = 15_000;

const drainMs = 5_000;

/** A round goes on until nothing is left, at the pace of the outside world. */
const failsAfterMs = 10 * 60_000;

/**
 * The background work of billing. Events, the history of payments and mails each go their own way: none waits for
 * another's outage. A stop finishes what is under way as far as the outside world answers in time; the others stay in
 * the database.
 */
export function createBillingWorker(ctx: Context): Service {
  const health = createHealth({ service: 'billing', logger: ctx.logger });
  let hasStopped = false;
  const isStopped = () => hasStopped;
  const runner = (name: string, work: () => Promise<void>) => createRunner(work, health.task(name, { failsAfterMs }));
  const reconciling = runner('reconciling', () => reconcileSubscriptions(ctx));
  const runners = {
    events: runner('events', () => workOffEvents(ctx, isStopped)),
    payments: runner('payments', () => recordStalePayments(ctx, isStopped)),
    notices: runner('notices', () => sendDueNotices(ctx, isStopped)),
  };
  const polling = createPolling(ctx.listener, {
    channels: {
      [billingChannel](payload) {
        if (payload === 'events' || payload === 'payments' || payload === 'notices') runners[payload].request();
      },
    },
    pollMs,
    poll() {
      for (const { request } of Object.values(runners)) request();
    },
  });

  return {
    name: 'billing',
    health: health.report,
    async start() {
      reconciling.request();
      polling.start();
    },
    async stop() {
      hasStopped = true;
      polling.stop();
      const stopped = Promise.all([reconciling, ...Object.values(runners)].map(({ stop }) => stop()));
      await Promise.race([stopped, delay(drainMs, undefined, { ref: false })]);
    },
  };
}
