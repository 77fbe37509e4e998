import { sql } from 'kysely';
import type { AccountContext, Context } from '#server/context.ts';
import { momentOf } from '#server/modules/audience/conditions/index.ts';
import { beginTurn } from '#server/platform/fair-turns.ts';
import { compareWithSearch } from './compare-with-search.ts';
import { evaluateBatch } from './evaluate-batch.ts';
import { followDefinitions } from './follow-definitions.ts';
import { readBatch } from './read-batch.ts';
import { saveBatch } from './save-batch.ts';
import type { Sources } from './sources.ts';
import { claimTurn, endTurn, inTurn, TurnLostError } from './turn.ts';
import type { Turn } from './turn.ts';

/** After something went wrong. */
const retryMs = 30_000;

/** Gives the next account that is due a turn. Answers whether there was one. */
export async function takeTurn(ctx: Context, sources: Sources, draining: AbortSignal): Promise<boolean> {
  const turn = await claimTurn(ctx);
  if (!turn) return false;
  const own: AccountContext = { ...ctx, account: turn.account };
  let next: Date | 'infinity' = new Date(ctx.clock.now().getTime() + retryMs);
  try {
    next = await work(own, turn, { sources, draining });
  } catch (err) {
    // Its successor goes on.
    if (err instanceof TurnLostError) return true;
    ctx.logger.error({ err, accountId: turn.account.id }, 'the people of an account could not be looked at');
  }
  await endTurn(ctx, turn, next);
  return true;
}

type Work = { sources: Sources; draining: AbortSignal };

/** Answers when the account's next turn is. */
async function work(ctx: AccountContext, turn: Turn, { sources, draining }: Work): Promise<Date | 'infinity'> {
  const mustStop = beginTurn(draining);
  await followDefinitions(ctx, turn, sources);
  await getReady(ctx, turn);
  for (;;) {
    const at = ctx.clock.now();
    const batch = await readBatch(ctx, at);
    const outcome = evaluateBatch(
      batch,
      { ...momentOf(ctx), now: at },
      {
        sources,
        failed: (err, about) => ctx.logger.error({ err, ...about }, 'an expression could not be asked of a person'),
      },
    );
    await saveBatch(ctx, turn, { batch, outcome, sources, at });
    if (!batch.isMoreLeft) break;
    if (mustStop()) return ctx.clock.now();
  }
  if (ctx.config.hasShadowEvaluator) await compareWithSearch(ctx);
  return (await findNextTimer(ctx)) ?? 'infinity';
}

/** Transactions from before the account was followed may not have queued what they change: they are to end first. */
async function getReady(ctx: AccountContext, turn: Turn): Promise<void> {
  const isAccount = sql`account_id = ${ctx.account.id} and not is_ready`;
  const { rows } = await sql<{ hasFrom: boolean }>`
    select ready_from is not null as "hasFrom" from audience_work where ${isAccount}
  `.execute(ctx.db);
  const [waiting] = rows;
  if (!waiting) return;
  await inTurn(ctx, turn, async (tx) => {
    if (!waiting.hasFrom) {
      await sql`
        update audience_work set ready_from = pg_snapshot_xmax(pg_current_snapshot()) where ${isAccount}
      `.execute(tx.db);
    }
  });
  await sql`
    update audience_work set is_ready = true
     where ${isAccount} and token = ${turn.token} and ready_from <= pg_snapshot_xmin(pg_current_snapshot())
  `.execute(ctx.db);
}

async function findNextTimer({ db, account }: AccountContext): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date }>`
    /* prepared: find-next-timer */
    select due_at as at from profile_states
     where account_id = ${account.id} and due_at is not null order by due_at limit 1
  `.execute(db);
  return rows[0]?.at;
}
