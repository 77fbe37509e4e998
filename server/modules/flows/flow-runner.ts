import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishAllLive } from '#server/modules/live/index.ts';
import { channels } from '#server/platform/db/channels.ts';
import { createGatherer } from '#server/platform/gatherer.ts';
import { feedDueFlows } from './deliveries/feed-due-flows.ts';
import { parseFlowNotice } from './flow-notice.ts';
import { wakeFlows } from './wake-flows.ts';
import type { FlowNotice } from './flow-notice.ts';
import { runDueFlows } from './running/run-due-flows.ts';
import { createTimedRounds } from './timed-rounds.ts';

/** Runs flows and hands their messages on. Any number of processes may run one on the same database. */
export type FlowRunner = {
  start(): void;
  /** Resolves once the steps under way are done; another process, or the next start, goes on from there. */
  stop(): Promise<void>;
};

/** Profiles that change at the same time are looked at together, soon. */
const causesGatherMs = 250;
/** Open pages are told of a flow's progress no more often than this. */
const newsGatherMs = 400;

type Cause = Extract<FlowNotice, { kind: 'profiles' | 'access' | 'phones' }>;

export function createFlowRunner(ctx: Context): FlowRunner {
  const { logger } = ctx;
  const draining = new AbortController();
  const stopListening: (() => void)[] = [];

  const feeding = createTimedRounds(ctx, {
    round: () => feedDueFlows(ctx, draining.signal),
    dueColumn: 'next_feed_at',
    signal: draining.signal,
  });
  const running = createTimedRounds(ctx, {
    round: () => runDueFlows(ctx, { draining: draining.signal, onQueued: feeding.request }),
    dueColumn: 'next_run_at',
    signal: draining.signal,
  });
  const causes = createGatherer<Cause>({ logger, afterMs: causesGatherMs }, async (gathered) => {
    await wakeFlows(ctx, gathered);
    lookAtAll();
  });
  const news = createGatherer<{ accountId: number; flowId: number }>({ logger, afterMs: newsGatherMs }, (settled) => {
    const notices = settled.map(({ accountId, flowId }) => ({
      accountId,
      event: { type: 'flows.changed', flow_id: flowId } as const,
    }));
    return inTransaction(ctx, (tx) => publishAllLive(tx, notices));
  });

  function lookAtAll(): void {
    running.request();
    feeding.request();
  }

  function hear(payload: string): void {
    const notice = parseFlowNotice(payload);
    if (notice.kind === 'due') lookAtAll();
    else if (notice.kind === 'settled') news.add(String(notice.flowId), notice);
    else causes.add(payload, notice);
  }

  return {
    start() {
      stopListening.push(ctx.listener.subscribe(channels.flows, hear), ctx.listener.onGap(lookAtAll));
      lookAtAll();
    },
    async stop() {
      draining.abort();
      for (const stop of stopListening.splice(0)) stop();
      await Promise.all([causes.stop(), news.stop(), running.idle(), feeding.idle()]);
    },
  };
}
