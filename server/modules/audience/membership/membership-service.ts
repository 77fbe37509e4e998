import type { Context } from '#server/context.ts';
import { createGatherer } from '#server/platform/gatherer.ts';
import { createPolling } from '#server/platform/polling.ts';
import { createRunner } from '#server/platform/runner.ts';
import { createHealth } from '#server/platform/service.ts';
import type { Service } from '#server/platform/service.ts';
import { membershipChannel } from './channels.ts';
import type { Sources } from './sources.ts';
import { takeTurn } from './take-turn.ts';
import { findForgotten, makeDue } from './turn.ts';

/** People who change at the same time are looked at together. */
const gatherMs = 200;
const pollMs = 2_000;
const failsAfterMs = 10 * 60_000;

/** Follows who is in which expression, one account after the other. */
export function createMembershipService(ctx: Context, sources: Sources): Service {
  const health = createHealth({ service: 'membership', logger: ctx.logger });
  const draining = new AbortController();
  const turns = createRunner(
    async () => {
      while (!draining.signal.aborted && (await takeTurn(ctx, sources, draining.signal)));
    },
    health.task('evaluating', { failsAfterMs }),
  );
  const polls = createRunner(
    async () => {
      const forgotten = await findForgotten(ctx);
      if (forgotten.length > 0) await makeDue(ctx, forgotten);
      turns.request();
    },
    health.task('poll', { failsAfterMs }),
  );
  const changes = createGatherer<number>(
    { task: health.task('changes', { failsAfterMs }), afterMs: gatherMs },
    async (accountIds) => {
      await makeDue(ctx, accountIds);
      turns.request();
    },
  );
  const polling = createPolling(ctx.listener, {
    channels: { [membershipChannel]: (payload) => changes.add(payload, Number(payload)) },
    pollMs,
    poll: polls.request,
  });
  return {
    name: 'membership',
    health: health.report,
    start: async () => polling.start(),
    async stop() {
      draining.abort();
      polling.stop();
      await Promise.all([changes.stop(), polls.stop(), turns.stop()]);
    },
  };
}
