import { sql } from 'kysely';
import type { AccountContext, Context } from '#server/context.ts';
import { createGatherer } from '#server/platform/gatherer.ts';
import { createPolling } from '#server/platform/polling.ts';
import { createRunner } from '#server/platform/runner.ts';
import { createHealth } from '#server/platform/service.ts';
import type { Service } from '#server/platform/service.ts';
import { segmentsChannel } from './channels.ts';
import { followSegment } from './follow-segment.ts';
import { findSegmentRows } from '../queries.ts';

/** Profiles that change at the same time are compared together. */
const gatherMs = 500;
const pollMs = 2_000;
const failsAfterMs = 10 * 60_000;
/** Where time or messages alone may move people. */
const restlessMs = 60_000;
/** An account's next comparison begins so many times later as the last one took. */
const restPerWork = 20;
const leastRestMs = 1_000;
/** Meanwhile no other process takes the account. */
const leaseMs = 5 * 60_000;
/** The newest segments of an account are followed. */
const mostSegments = 50;

/** Notes who joins and leaves segments, one account after the other. */
export function createSegmentWatcher(ctx: Context): Service {
  const health = createHealth({ service: 'segments', logger: ctx.logger });
  const draining = new AbortController();
  const comparing = createRunner(
    async () => {
      while (!draining.signal.aborted && (await compareNext(ctx, draining.signal)));
    },
    health.task('comparing', { failsAfterMs }),
  );
  const changes = createGatherer<number>(
    { task: health.task('changes', { failsAfterMs }), afterMs: gatherMs },
    async (accountIds) => {
      await makeDue(ctx, accountIds);
      comparing.request();
    },
  );
  const onChange = (payload: string) => changes.add(payload, Number(payload));
  const polling = createPolling(ctx.listener, {
    channels: { [segmentsChannel]: onChange },
    pollMs,
    poll: comparing.request,
  });
  return {
    name: 'segments',
    health: health.report,
    start: async () => polling.start(),
    async stop() {
      draining.abort();
      polling.stop();
      await Promise.all([changes.stop(), comparing.stop()]);
    },
  };
}

async function makeDue({ db, clock }: Context, accountIds: readonly number[]): Promise<void> {
  const now = clock.now();
  await sql`
    /* prepared: make-segments-due */
    with sooner as (
      select account_id from segment_watchers
       where account_id = any(${accountIds}::bigint[]) and due_at > greatest(paced_until, ${now})
       order by account_id for update
    )
    update segment_watchers w set due_at = greatest(w.paced_until, ${now})
      from sooner where w.account_id = sooner.account_id
  `.execute(db);
}

type Due = { accountId: number; timezone: string };

/** Compares the segments of the account that has been due longest. Answers whether there was one. */
async function compareNext(ctx: Context, draining: AbortSignal): Promise<boolean> {
  const now = ctx.clock.now();
  // account-wide: a worker serves the segments of all accounts.
  const { rows } = await sql<Due>`
    /* prepared: take-due-segments */
    update segment_watchers w
       set due_at = ${new Date(now.getTime() + leaseMs)}, paced_until = ${new Date(now.getTime() + leastRestMs)}
      from (select account_id from segment_watchers where due_at <= ${now}
             order by due_at limit 1 for update skip locked) as due, accounts a
     where w.account_id = due.account_id and a.id = due.account_id
    returning w.account_id as "accountId", a.timezone
  `.execute(ctx.db);
  const [due] = rows;
  if (!due) return false;
  const begun = performance.now();
  const isRestless = await compareAll({ ...ctx, account: { id: due.accountId, timezone: due.timezone } }, draining);
  const restMs = Math.max(leastRestMs, restPerWork * (performance.now() - begun));
  await rest(ctx, { accountId: due.accountId, restMs, isRestless });
  return true;
}

async function compareAll(ctx: AccountContext, draining: AbortSignal): Promise<boolean> {
  let isRestless = false;
  const segments = (await findSegmentRows(ctx)).slice(0, mostSegments);
  for (const segment of segments) {
    if (draining.aborted) return true;
    try {
      const followed = await followSegment(ctx, segment);
      isRestless ||= followed.isRestless;
    } catch (err) {
      ctx.logger.warn({ err, segmentId: segment.id }, 'the people of a segment could not be compared');
      isRestless = true;
    }
  }
  return isRestless;
}

type Rest = { accountId: number; restMs: number; isRestless: boolean };

/** Profiles that changed meanwhile have made the account due again, which stays. */
async function rest({ db, clock }: Context, { accountId, restMs, isRestless }: Rest): Promise<void> {
  const now = clock.now().getTime();
  const pacedUntil = new Date(now + restMs);
  const next = isRestless ? new Date(now + Math.max(restMs, restlessMs)) : 'infinity';
  await sql`
    update segment_watchers
       set paced_until = ${pacedUntil}::timestamptz,
           due_at = case when due_at < ${new Date(now + leaseMs / 2)}::timestamptz
                         then greatest(due_at, ${pacedUntil}::timestamptz) else ${next}::timestamptz end
     where account_id = ${accountId}
  `.execute(db);
}
