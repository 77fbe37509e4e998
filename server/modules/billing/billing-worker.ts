import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '#server/context.ts';
import { channels } from '#server/platform/db/channels.ts';
import { createRunner } from '#server/platform/runner.ts';
import { workOffEvents } from './events/work-off-events.ts';
import { sendDueNotices } from './notices/send-due-notices.ts';
import { recordStalePayments } from './payments/record-payments.ts';
import { reconcileSubscriptions } from './reconcile-subscriptions.ts';

/** What billing does in the background. Any number of processes may run one on the same database. */
export type BillingWorker = {
  start(): void;
  /** Finishes what is under way, as far as the outside world answers in time; the rest stays in the database. */
  stop(): Promise<void>;
};

/** How often work is looked for that nobody told of, and what has failed is tried again. */
const scanMs = 15_000;

const drainMs = 5_000;

/** Opens the books at its start. Events, the history of payments and mails each go their own way: none waits for another's outage. */
export function createBillingWorker(ctx: Context): BillingWorker {
  const stopListening: (() => void)[] = [];
  let hasStopped = false;
  const isStopped = () => hasStopped;
  const reconciling = createRunner(() => reconcileSubscriptions(ctx), ctx.logger);
  const runners = {
    events: createRunner(() => workOffEvents(ctx, isStopped), ctx.logger),
    payments: createRunner(() => recordStalePayments(ctx, isStopped), ctx.logger),
    notices: createRunner(() => sendDueNotices(ctx, isStopped), ctx.logger),
  };

  function scan(): void {
    for (const runner of Object.values(runners)) runner.request();
  }

  return {
    start() {
      const timer = setInterval(scan, scanMs);
      stopListening.push(
        ctx.listener.subscribe(channels.billing, (payload) => {
          if (payload === 'events' || payload === 'payments' || payload === 'notices') runners[payload].request();
        }),
        ctx.listener.onGap(scan),
        () => clearInterval(timer),
      );
      reconciling.request();
      scan();
    },
    async stop() {
      hasStopped = true;
      for (const stop of stopListening.splice(0)) stop();
      const idle = Promise.all([reconciling, ...Object.values(runners)].map((runner) => runner.idle()));
      await Promise.race([idle, delay(drainMs, undefined, { ref: false })]);
    },
  };
}
