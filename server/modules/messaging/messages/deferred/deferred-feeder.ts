import type { Context, Tx } from '#server/context.ts';
import { createBackoff } from '#server/platform/backoff.ts';
import { notify } from '#server/platform/db/notify.ts';
import { createFairTurns } from '#server/platform/fair-turns.ts';
import type { FairWork } from '#server/platform/fair-turns.ts';
import { createPolling } from '#server/platform/polling.ts';
import { createRunner } from '#server/platform/runner.ts';
import { createHealth } from '#server/platform/service.ts';
import type { Service } from '#server/platform/service.ts';
import { feedProject } from './feed-project.ts';
import { findDueProjects, findNextDue } from './find-due.ts';
import type { DueProject } from './find-due.ts';
import { findProjectsWithUntried } from './take-back-held.ts';
import { deferredChannel } from '../channels.ts';

/** Poll interval, in case a notification was missed; it is also how far ahead turns are planned. */
const pollMs = 15_000;
/** How long the phones are given to drain before that is looked at again. */
const drainMs = 150;
/** A project whose turn fails is left alone for a while, longer each time. */
const faultPause = { firstMs: 1_000, longestMs: 5 * 60_000 };
const failsAfterMs = 60_000;

/** Gives messages that were stored without a phone theirs: scheduled ones when they are due, batches as room comes. */
export function createDeferredFeeder(ctx: Context): Service {
  const health = createHealth({ service: 'deferred-messages', logger: ctx.logger });
  const feeding = health.task('feeding', { failsAfterMs });
  const backoff = createBackoff<number>(faultPause);
  const turns = createFairTurns({ maxRunning: 3, maxPerAccount: 1, run: takeTurn });

  async function takeTurn(work: FairWork): Promise<void> {
    const pauseMs = backoff.pauseOf(work.id);
    if (pauseMs > 0) return turns.wake(work, pauseMs);
    const project = { accountId: work.accountId, projectId: work.id };
    try {
      const fed = await feedProject(ctx, project);
      backoff.succeeded(work.id);
      feeding.succeeded();
      // Projects that wait for a phone, its cap or the subscription are notified of those, and polled.
      if (fed === 'full') turns.wake(work, drainMs);
      if (typeof fed === 'object') plan({ ...project, dueAt: fed.at });
      if (fed === 'done') plan({ ...project, dueAt: await findNextDue(ctx, project) });
    } catch (error) {
      ctx.logger.error(project, 'deferred messages were not given phones');
      feeding.failed(error);
      turns.wake(work, backoff.failed(work.id));
    }
  }

  function plan({ accountId, projectId, dueAt }: Omit<DueProject, 'dueAt'> & { dueAt: Date | undefined }): void {
    if (dueAt === undefined) return;
    const waitMs = Math.max(0, dueAt.getTime() - ctx.clock.now().getTime());
    if (waitMs <= pollMs) turns.wake({ accountId, id: projectId }, waitMs);
  }

  const poll = createRunner(
    async () => {
      for (const due of await findDueProjects(ctx)) plan(due);
      for (const { accountId, projectId } of await findProjectsWithUntried(ctx))
        turns.wake({ accountId, id: projectId });
    },
    health.task('poll', { failsAfterMs }),
  );
  const polling = createPolling(ctx.listener, {
    channels: {
      [deferredChannel](payload) {
        const [accountId, projectId] = JSON.parse(payload) as [number, number?];
        // Of a whole account: the poll finds which projects there are.
        if (projectId === undefined) poll.request();
        else turns.wake({ accountId, id: projectId });
      },
    },
    pollMs,
    poll: poll.request,
  });
  return {
    name: 'deferred-messages',
    health: health.report,
    start: async () => polling.start(),
    async stop() {
      polling.stop();
      await poll.stop();
      await turns.stop();
    },
  };
}

/** A phone is there, or the subscription: what waited for it goes on, once the transaction has committed. */
export async function wakeDeferred(tx: Tx, accountId: number): Promise<void> {
  await notify(tx.db, [{ channel: deferredChannel, payload: JSON.stringify([accountId]) }]);
}
