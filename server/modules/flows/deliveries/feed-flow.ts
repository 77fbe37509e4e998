import { sql } from 'kysely';
import type { WaitingReason } from '#contracts/campaigns.ts';
import type { Account, Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/live/index.ts';
import { outboxRoom, queueMessages, reassignStranded } from '#server/modules/messages/index.ts';
import type { QueuedText } from '#server/modules/messages/index.ts';
import { findWaitingReason, hasAccess, messageFor } from '#server/modules/recipients/index.ts';
import type { RecipientProfile } from '#server/modules/recipients/index.ts';
import { restMs } from './feed-pace.ts';
import type { FlowRow } from '../present.ts';
import { lockFlow, saveFlow } from '../queries.ts';
import { saveHandedOn } from './save-handed-on.ts';
import type { HandedOn } from './save-handed-on.ts';

/** A flow with deliveries that wait for their turn. */
export type FeedingFlow = { account: Account; flowId: number };

type Scope = Context & FeedingFlow & { projectId: number };
type WaitingDelivery = RecipientProfile & { delivery_id: number; delivery_profile_id: number; id: number | null };

/** What comes of one step: what was handed on, and what keeps the rest from it. */
type Step = { handedOn: HandedOn[]; isMoreWaiting: boolean; waitingFor: WaitingReason | null; room: number };

/** What one transaction hands on: it holds the project's phones, for which direct messages wait meanwhile. */
const deliveriesPerStep = 100;

/**
 * Hands waiting deliveries to the outbox, as many as the project's phones drain soon: message and what the ledger says
 * of it are committed together. What it has handed to a phone that is not connected goes to another. Locks the flow,
 * then the phones, as everyone does who needs both. It takes turns with a run that plans more of them.
 */
export async function feedFlow(ctx: Context, feeding: FeedingFlow): Promise<void> {
  await inTransaction({ ...ctx, ...feeding }, async (tx) => {
    const flow = await lockFlow(tx, feeding.flowId);
    if (!flow?.next_feed_at || flow.next_feed_at > tx.clock.now()) return;
    const step = await takeStep({ ...tx, projectId: flow.project_id }, flow);
    await saveHandedOn(tx, flow, step.handedOn);
    await noteStep(tx, flow, step);
  });
}

async function takeStep(tx: Tx<Scope>, flow: FlowRow): Promise<Step> {
  const nothing = { handedOn: [], isMoreWaiting: true, room: 0 };
  if (!(await hasAccess(tx, tx.account.id))) return { ...nothing, waitingFor: 'subscription' };
  const isStranded = flow.queued_count > 0 && (await reassignStranded(tx, { flowId: flow.id }));
  if (flow.waiting_count === 0) {
    return { ...nothing, isMoreWaiting: false, waitingFor: isStranded ? 'no_connected_phone' : null };
  }
  const room = await outboxRoom(tx, { accountId: tx.account.id, projectId: tx.projectId });
  if (room === 0) return { ...nothing, waitingFor: await findWaitingReason(tx, tx) };
  const limit = Math.min(room, deliveriesPerStep);
  const waiting = await findWaiting(tx, limit);
  const { handedOn, waitingFor } = await handOn(tx, flow, waiting);
  return { handedOn, waitingFor, room, isMoreWaiting: handedOn.length < waiting.length || waiting.length === limit };
}

/** Oldest first, each with its profile as it is now. */
async function findWaiting(tx: Tx<Scope>, limit: number): Promise<WaitingDelivery[]> {
  const { rows } = await sql<WaitingDelivery>`
    /* prepared: find-waiting-deliveries */
    select d.id as delivery_id, d.profile_id as delivery_profile_id, p.*
      from (select id, account_id, profile_id from flow_deliveries
             where account_id = ${tx.account.id} and flow_id = ${tx.flowId} and status = 'waiting'
             order by id limit ${limit}) as d
      left join profiles p on p.account_id = d.account_id and p.id = d.profile_id
     order by d.id
  `.execute(tx.db);
  return rows;
}

type Text = QueuedText & { deliveryId: number };

async function handOn(
  tx: Tx<Scope>,
  flow: FlowRow,
  waiting: readonly WaitingDelivery[],
): Promise<Pick<Step, 'handedOn' | 'waitingFor'>> {
  const handedOn: HandedOn[] = [];
  const texts: Text[] = [];
  for (const profile of waiting) {
    const { delivery_id: deliveryId, delivery_profile_id: profileId } = profile;
    const message = messageFor(flow.message, profile.id === null ? undefined : profile);
    if (message.kind === 'skipped') {
      handedOn.push({ deliveryId, profileId, outcome: { kind: 'skipped', reason: message.reason } });
    } else {
      texts.push({ deliveryId, profileId, to: profile.phone, message: message.text, origin: { flowId: flow.id } });
    }
  }
  let waitingFor: WaitingReason | null = null;
  for (const [index, queueing] of (await queueMessages(tx, tx, texts)).entries()) {
    const { deliveryId, profileId, to } = texts[index] as Text;
    if (queueing.kind === 'queued') handedOn.push({ deliveryId, profileId, outcome: { ...queueing, to } });
    else if (queueing.kind !== 'no_room') waitingFor = queueing.kind;
  }
  return { handedOn, waitingFor };
}

async function noteStep(tx: Tx, flow: FlowRow, step: Step): Promise<void> {
  const { handedOn, isMoreWaiting, waitingFor, room } = step;
  const queued = handedOn.filter(({ outcome }) => outcome.kind === 'queued').length;
  const inOutbox = flow.queued_count + queued;
  const rest = restMs({ waitingFor, room, isMoreWaiting });
  await saveFlow(tx, flow, {
    waiting_count: flow.waiting_count - handedOn.length,
    queued_count: inOutbox,
    skipped_count: flow.skipped_count + handedOn.length - queued,
    waiting_for: waitingFor,
    next_feed_at: isMoreWaiting || inOutbox > 0 ? new Date(tx.clock.now().getTime() + rest) : null,
  });
  // What becomes of those that were queued is told soon after.
  if (handedOn.length > queued || waitingFor !== flow.waiting_for) {
    await publishLive(tx, flow.account_id, { type: 'flows.changed', flow_id: flow.id });
  }
}
