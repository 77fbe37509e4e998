import type { Context } from '#server/context.ts';
import { feedFlow } from './feed-flow.ts';
import type { FeedingFlow } from './feed-flow.ts';

/** How many flows one process looks at in one round, and of how many projects side by side. */
const roundSize = 40;
const projectsAtOnce = 4;

/** Hands on what waits of the flows of all accounts, those that have waited longest first. */
export async function feedDueFlows(ctx: Context, draining: AbortSignal): Promise<void> {
  const waiting = await findDueFlows(ctx);
  const takeTurns = async () => {
    for (let ofProject = waiting.shift(); ofProject; ofProject = waiting.shift()) {
      for (const feeding of ofProject) if (!draining.aborted) await feed(ctx, feeding);
    }
  };
  await Promise.all(Array.from({ length: projectsAtOnce }, takeTurns));
}

async function feed(ctx: Context, feeding: FeedingFlow): Promise<void> {
  try {
    await feedFlow(ctx, feeding);
  } catch (err) {
    ctx.logger.error({ err, flowId: feeding.flowId }, "a flow's deliveries could not be handed on");
  }
}

/** By project: its flows wait for the same phones. */
async function findDueFlows(ctx: Context): Promise<FeedingFlow[][]> {
  // account-wide: a worker serves the flows of all accounts.
  const rows = await ctx.db
    .selectFrom('flows')
    .innerJoin('accounts', 'accounts.id', 'flows.account_id')
    .select(['flows.account_id', 'flows.project_id', 'flows.id', 'accounts.timezone'])
    .where('flows.next_feed_at', '<=', ctx.clock.now())
    .orderBy('flows.next_feed_at')
    .limit(roundSize)
    .execute();
  return [...Map.groupBy(rows, (row) => row.project_id).values()].map((ofProject) =>
    ofProject.map((row) => ({ account: { id: row.account_id, timezone: row.timezone }, flowId: row.id })),
  );
}
