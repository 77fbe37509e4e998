import type { Account, Context, Tx } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { findRules } from '#server/modules/audience/topics/index.ts';
import { boundOf, feedLedger, findAccountHold, inStep, passKeyOf } from '#server/modules/outreach/recipients/index.ts';
import type { Fed } from '#server/modules/outreach/recipients/index.ts';
import { flowLedger } from '../flow-ledger.ts';
import type { FlowRow } from '../tables.ts';
import { lockFlow, saveFlow } from '../queries.ts';
import { audienceOf, audiencePredicate } from '../running/audience.ts';
import { discardSome } from './discard-planned.ts';
import { giveUpReturned } from './recall-queued.ts';
import { restMs } from './feed-pace.ts';
import { releaseSkipped } from './release-guards.ts';

/** A flow with deliveries that wait. */
export type FeedingFlow = { account: Account; flowId: number };

/** A phone may be there sooner, or a contact have written. */
const longestRestMs = 60_000;

/**
 * The deliveries that one transaction enqueues: it locks the project's phones, for which direct messages wait
 * meanwhile.
 */
const deliveriesPerStep = 100;

/**
 * Enqueues waiting deliveries, as many as the project's phones drain soon. Profiles that no longer fulfil the flow's
 * conditions, as both are now, are skipped and may be taken on anew. The flow's lock excludes a run that plans more
 * deliveries at the same time.
 */
export async function feedFlow(ctx: Context, feeding: FeedingFlow): Promise<void> {
  const source = { ledger: flowLedger, accountId: feeding.account.id, sourceId: feeding.flowId };
  await inStep({ ...ctx, ...feeding }, source, async (tx) => {
    const found = await lockFlow(tx, feeding.flowId);
    if (!found?.next_feed_at || found.next_feed_at > tx.clock.now()) return;
    const flow = await giveUpReturned(tx, found);
    if (flow.discard_until !== null) {
      const isMoreLeft = await discardSome(tx, flow);
      const isIdle = !isMoreLeft && flow.waiting_count + flow.queued_count === 0;
      return saveFlow(tx, flow, { next_feed_at: isIdle ? null : tx.clock.now() });
    }
    const fed = await takeStep(tx, flow);
    await releaseSkipped(tx, flow, fed.handled);
    await noteStep(tx, flow, fed);
  });
}

async function takeStep(tx: Tx<Context & FeedingFlow>, flow: FlowRow): Promise<Fed> {
  const hold = await findAccountHold(tx, tx.account.id);
  if (hold) {
    return {
      handled: [],
      recalled: [],
      waitingFor: hold,
      waitingUntil: null,
      isBlocked: true,
      room: 0,
      isMoreWaiting: true,
    };
  }
  const bound = await boundOf(tx, flow);
  const source = {
    account: tx.account,
    sourceId: flow.id,
    projectId: flow.project_id,
    contentOf: () => ({ template: flow.message, media: flow.media, bound }),
    bound,
    passKey: passKeyOf(bound),
    rules: await findRules(tx, { accountId: tx.account.id, source: 'flow', sourceId: flow.id }),
    waitingCount: flow.waiting_count,
    queuedCount: flow.queued_count,
    waiting: { waitingFor: flow.waiting_for, waitingUntil: flow.waiting_until },
  };
  const audience = await audiencePredicate(tx, audienceOf(flow));
  return feedLedger(tx, flowLedger, source, { most: deliveriesPerStep, after: 0, audience });
}

async function noteStep(tx: Tx, flow: FlowRow, fed: Fed): Promise<void> {
  const { handled, recalled, waitingFor, waitingUntil, room, isMoreWaiting, nextAt } = fed;
  const queued = handled.filter(({ outcome }) => outcome.kind === 'queued').length;
  const inOutbox = flow.queued_count - recalled.length + queued;
  const now = tx.clock.now();
  const rest = nextAt ? Math.max(0, nextAt.getTime() - now.getTime()) : restMs({ waitingFor, room, isMoreWaiting });
  await saveFlow(tx, flow, {
    waiting_count: flow.waiting_count + recalled.length - handled.length,
    queued_count: inOutbox,
    skipped_count: flow.skipped_count + handled.length - queued,
    waiting_for: waitingFor,
    waiting_until: waitingUntil,
    next_feed_at: isMoreWaiting || inOutbox > 0 ? new Date(now.getTime() + Math.min(rest, longestRestMs)) : null,
  });
  // Outcomes of queued deliveries are announced when they settle.
  const isWaitingOtherwise =
    waitingFor !== flow.waiting_for || waitingUntil?.getTime() !== flow.waiting_until?.getTime();
  if (handled.length > queued || isWaitingOtherwise) {
    await publishLive(tx, flow.account_id, { type: 'flows.changed', flow_id: flow.id });
  }
}
