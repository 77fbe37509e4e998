import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishAllLive } from '#server/modules/live/index.ts';
import { channels } from '#server/platform/db/channels.ts';
import { createGatherer } from '#server/platform/gatherer.ts';
import { createPolling } from '#server/platform/polling.ts';
import { createHealth } from '#server/platform/service.ts';
import type { Service } from '#server/platform/service.ts';
import { feedDueFlows } from './deliveries/feed-due-flows.ts';
import { parseFlowNotice } from './flow-notice.ts';
import { wakeFlows } from './wake-flows.ts';
import type { FlowNotice } from './flow-notice.ts';
import { runDueFlows } from './running/run-due-flows.ts';
import { createTimedRounds } from './timed-rounds.ts';

/** Profiles that change at the same time are looked at together, soon. */
const causesGatherMs = 250;
/** Open pages are notified of a flow's progress no more often than this. */
const newsGatherMs = 400;
const pollMs = 30_000;
/** A round of runs takes a claim's worth of turns at the most. */
const failsAfterMs = 120_000;

type Cause = Extract<FlowNotice, { kind: 'profiles' | 'access' | 'phones' }>;

/** Runs flows and enqueues their messages. */
export function createFlowRunner(ctx: Context): Service {
  const health = createHealth({ service: 'flows', logger: ctx.logger });
  const draining = new AbortController();

  const feeding = createTimedRounds(ctx, {
    round: () => feedDueFlows(ctx, draining.signal),
    dueColumn: 'next_feed_at',
    task: health.task('feeding', { failsAfterMs }),
  });
  const running = createTimedRounds(ctx, {
    round: () => runDueFlows(ctx, { draining: draining.signal, onQueued: feeding.request }),
    dueColumn: 'next_run_at',
    task: health.task('running', { failsAfterMs }),
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
      const notices = settled.map(({ accountId, flowId }) => ({
        accountId,
        event: { type: 'flows.changed', flow_id: flowId } as const,
      }));
      return inTransaction(ctx, (tx) => publishAllLive(tx, notices));
    },
  );

  function pollAll(): void {
    running.request();
    feeding.request();
  }

  function onNotice(payload: string): void {
    const notice = parseFlowNotice(payload);
    if (notice.kind === 'due') pollAll();
    else if (notice.kind === 'settled') news.add(String(notice.flowId), notice);
    else causes.add(payload, notice);
  }

  const polling = createPolling(ctx.listener, { channels: { [channels.flows]: onNotice }, pollMs, poll: pollAll });
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
