import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishAllLive } from '#server/modules/identity/live/index.ts';
import { createGatherer } from '#server/platform/gatherer.ts';
import { createPolling } from '#server/platform/polling.ts';
import { createHealth } from '#server/platform/service.ts';
import type { Service } from '#server/platform/service.ts';
import { feedFlow } from './deliveries/feed-flow.ts';
import { createDueFlows } from './due-flows.ts';
import type { DueFlow } from './find-due-flows.ts';
import { parseFlowSignal } from './channels.ts';
import { wakeFlows } from './wake-flows.ts';
import type { Cause } from './wake-flows.ts';
import { runDueFlow } from './running/run-due-flow.ts';
import { flowsChannel } from './channels.ts';

/** Profiles that change at the same time are looked at together, soon. */
const causesGatherMs = 250;
/** Open pages are notified of a flow's progress no more often than this. */
const newsGatherMs = 400;
const pollMs = 30_000;
const failsAfterMs = 120_000;

/** Runs flows and enqueues their messages. */
export function createFlowRunner(ctx: Context): Service {
  const health = createHealth({ service: 'flows', logger: ctx.logger });
  const draining = new AbortController();

  const feeding = createDueFlows(ctx, {
    column: 'next_feed_at',
    maxPerAccount: 3,
    task: health.task('feeding', { failsAfterMs }),
    step: (due) => (draining.signal.aborted ? Promise.resolve() : feedDueFlow(ctx, due)),
  });
  const running = createDueFlows(ctx, {
    column: 'next_run_at',
    maxPerAccount: 2,
    task: health.task('running', { failsAfterMs }),
    step: (due) => runDueFlow(ctx, due, { draining: draining.signal, onQueued: feeding.request }),
  });
  const causes = createGatherer<Cause>(
    { task: health.task('causes', { failsAfterMs }), afterMs: causesGatherMs },
    async (gathered) => {
      await wakeFlows(ctx, gathered);
      pollAll();
    },
  );
  const news = createGatherer<{ accountId: number; flowId: number }>(
    { task: health.task('news', { failsAfterMs }), afterMs: newsGatherMs },
    (settled) => {
      const events = settled.map(({ accountId, flowId }) => ({
        accountId,
        event: { type: 'flows.changed', flow_id: flowId } as const,
      }));
      return inTransaction(ctx, (tx) => publishAllLive(tx, events));
    },
  );

  function pollAll(): void {
    running.request();
    feeding.request();
  }

  function onNotification(payload: string): void {
    const signal = parseFlowSignal(payload);
    if (signal.kind === 'due') pollAll();
    else if (signal.kind === 'settled') news.add(String(signal.flowId), signal);
    else causes.add(payload, signal);
  }

  const polling = createPolling(ctx.listener, { channels: { [flowsChannel]: onNotification }, pollMs, poll: pollAll });
  return {
    name: 'flows',
    health: health.report,
    start: async () => polling.start(),
    async stop() {
      draining.abort();
      polling.stop();
      await Promise.all([causes, news, running, feeding].map((part) => part.stop()));
    },
  };
}

async function feedDueFlow(ctx: Context, { accountId, id: flowId, timezone }: DueFlow): Promise<void> {
  try {
    await feedFlow(ctx, { account: { id: accountId, timezone }, flowId });
  } catch (err) {
    ctx.logger.error({ err, flowId }, "a flow's deliveries could not be handed over");
    await postponeFeeding(ctx, accountId, flowId);
  }
}

const faultMs = 5_000;

/** Lest it fails over and over without a pause. */
async function postponeFeeding(ctx: Context, accountId: number, flowId: number): Promise<void> {
  try {
    await ctx.db
      .updateTable('flows')
      .set({ next_feed_at: new Date(ctx.clock.now().getTime() + faultMs) })
      .where('account_id', '=', accountId)
      .where('id', '=', flowId)
      .where('next_feed_at', 'is not', null)
      .execute();
  } catch {
    // The database is away; the next scan finds the flow.
  }
}
