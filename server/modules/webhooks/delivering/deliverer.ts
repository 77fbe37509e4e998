import type { Context } from '#server/context.ts';
import { channels } from '#server/platform/db/channels.ts';
import { createPublicResolver, resolveWithSystem } from '../sending/resolve-host.ts';
import type { ResolveHost } from '../sending/resolve-host.ts';
import { createWebhookSender } from '../sending/send-webhook.ts';
import { findDueProjects } from './claim-due-webhooks.ts';
import { createRecordDelivery } from './deliver-record.ts';
import { createDispatcher } from './dispatcher.ts';

/** Sends the webhook records that are due. Any number of processes may run one on the same database. */
export type WebhookDeliverer = {
  start(): Promise<void>;
  /** Claims no more, gives what is under way `drainMs` (5 s) to finish and hands the rest back. */
  stop(drainMs?: number): Promise<void>;
};

const defaultDrainMs = 5000;

export type DelivererOptions = {
  /** For one attempt, name lookup included. */
  deadlineMs: number;
  /** How long a record waits when the process that claimed it died; longer than the deadline. */
  leaseMs: number;
  /** How often records are looked for that nobody told of. */
  scanMs: number;
  resolveHost: ResolveHost;
  random: () => number;
};

export function createWebhookDeliverer(ctx: Context, overrides: Partial<DelivererOptions> = {}): WebhookDeliverer {
  const isPrivateAllowed = ctx.config.areWebhooksToPrivateAddressesAllowed;
  const options = {
    deadlineMs: 15_000,
    leaseMs: 30_000,
    scanMs: 30_000,
    resolveHost: isPrivateAllowed ? resolveWithSystem : createPublicResolver(),
    random: Math.random,
    ...overrides,
  };
  const sender = createWebhookSender({ ...options, isPrivateAllowed });
  const dispatcher = createDispatcher(ctx, options.leaseMs, createRecordDelivery(ctx, sender, options.random));
  const stopListening: (() => void)[] = [];

  async function scan(): Promise<void> {
    try {
      for (const { dueAt, ...project } of await findDueProjects(ctx)) dispatcher.wake(project, dueAt.getTime());
    } catch (err) {
      ctx.logger.error({ err }, 'due webhooks could not be looked for');
    }
  }

  return {
    async start() {
      stopListening.push(
        ctx.listener.subscribe(channels.webhooks, (payload) => {
          const [accountId, projectId] = JSON.parse(payload) as [number, number];
          dispatcher.wake({ accountId, projectId }, ctx.clock.now().getTime());
        }),
        ctx.listener.onGap(() => void scan()),
      );
      const timer = setInterval(() => void scan(), options.scanMs);
      stopListening.push(() => clearInterval(timer));
      await scan();
    },
    async stop(drainMs = defaultDrainMs) {
      for (const stop of stopListening.splice(0)) stop();
      await dispatcher.stop(drainMs);
      await sender.close();
    },
  };
}
