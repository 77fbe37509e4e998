import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { CarriedMedia } from '#contracts/carried-media.ts';
import type { Flow, FlowChange } from '#contracts/flows.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { liveNotifications } from '#server/modules/identity/live/index.ts';
import { isSameCarried, requireCarriedText, takeCarried } from '#server/modules/messaging/media/index.ts';
import { holdProject } from '#server/modules/identity/projects/index.ts';
import { isSameBinding } from '#server/modules/messaging/whatsapp-templates/index.ts';
import type { StoredBinding } from '#server/modules/messaging/whatsapp-templates/index.ts';
import { followHold } from '#server/modules/outreach/outcomes/index.ts';
import { changedTemplate, pinAnew, refuseBesideTemplate } from '#server/modules/outreach/recipients/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { requireOwnAudience } from '#server/scope.ts';
import { flowNotification } from './channels.ts';
import { presentFlow } from './present.ts';
import type { FlowRow, Audience } from './tables.ts';
import { getFlowRow, lockFlow } from './queries.ts';
import { dropCandidates } from './running/candidates.ts';
import { unsearched } from './running/search.ts';
import { recallQueued, rewriteQueued } from './deliveries/recall-queued.ts';
import { requireFlowAudience } from './require-flow-audience.ts';
import { findRules, setRules } from '#server/modules/audience/topics/index.ts';
import { audienceOf, columnsOf, givenAudience } from './running/audience.ts';

type UpdateFlow = { flowId: number; change: FlowChange };

/**
 * Changes what is named. Messages that have not gone out get the new text and file, and go by the new project's phones.
 * A flow that is switched off gives it up; who matches when it is on again is met anew.
 */
export async function updateFlow(ctx: AccountContext, { flowId, change }: UpdateFlow): Promise<Flow> {
  return inTransaction(ctx, async (tx) => {
    const found = await lockFlow(tx, flowId);
    if (!found) throw new NotFoundError('Flow');
    requireOwnAudience(tx, found);
    // Held after the flow is locked, in the order of whoever deletes the project.
    if (change.action) await holdProject(tx, change.action.projectId);
    const audience = otherAudience(change, found);
    const isAnyAllowed = change.allow_unknown ?? false;
    if (audience) await requireFlowAudience(tx, { audience, before: audienceOf(found), isAnyAllowed });
    const isOtherTopic = await changeRules(tx, flowId, change);
    const media = await takeMedia(tx, change, found);
    const template = await templateAfter(tx, change, found);
    requireContent(change, found, { media, template });
    const isOtherMedia = !isSameCarried(media, found.media) || !isSameBinding(template, found.template);
    const before =
      isOtherMedia || isTakenBackBy(change, found) || audience || isOtherTopic ? await recallQueued(tx, found) : found;
    const after = await tx.db
      .updateTable('flows')
      .set({
        ...changedColumns(change),
        ...(audience && columnsOf(audience)),
        ...(isOtherMedia && { media, template }),
        ...(await schedule(tx, before, change)),
        ...search(before, { ...change, isOtherAudience: audience !== undefined || isOtherTopic }, tx.clock.now()),
        updated_at: tx.clock.now(),
      })
      .where('account_id', '=', tx.account.id)
      .where('id', '=', flowId)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (isSwitchedOff(change, found)) await dropCandidates(tx, found);
    await followHold(tx, { accountId: tx.account.id, source: 'flow', sourceId: flowId }, { before, after });
    if (after.message !== before.message && !after.template) await rewriteQueued(tx, after);
    await notify(tx.db, [
      ...liveNotifications(tx.account.id, { type: 'flows.changed', flow_id: flowId }),
      flowNotification({ kind: 'due' }),
    ]);
    return presentFlow(await getFlowRow(tx, flowId));
  });
}

/** Answers whether it is about another topic now. */
async function changeRules(tx: Tx<AccountContext>, flowId: number, change: FlowChange): Promise<boolean> {
  const of = { source: 'flow', sourceId: flowId } as const;
  const before = await findRules(tx, { accountId: tx.account.id, ...of });
  const after = await setRules(tx, of, { given: change });
  return after.topic_id !== before.topic_id;
}

/** The file of its messages from now on; a file that the change does not name stays. */
async function takeMedia(tx: Tx<AccountContext>, { action }: FlowChange, flow: FlowRow): Promise<CarriedMedia | null> {
  if (!action) return flow.media;
  const asked = action.media;
  const named = asked ? await takeCarried(tx, { media: asked, path: 'action.media' }) : asked;
  return named === undefined ? flow.media : named;
}

/** The template of its messages from now on. A template that has changed at Meta goes on once the flow is changed or switched on. */
async function templateAfter(
  tx: Tx<AccountContext>,
  { action, active }: FlowChange,
  flow: FlowRow,
): Promise<StoredBinding | null> {
  const projectId = action?.projectId ?? flow.project_id;
  const wanted = action?.template;
  const changed = await changedTemplate(tx, { before: flow, projectId, wanted, path: 'action.template' });
  if (changed !== undefined) return changed;
  const isLetGoOn = action !== undefined || active === true;
  return (isLetGoOn ? await pinAnew(tx, flow) : undefined) ?? flow.template;
}

type Content = { media: CarriedMedia | null; template: StoredBinding | null };

function requireContent({ action }: FlowChange, flow: FlowRow, { media, template }: Content): void {
  const message = action?.message ?? flow.message;
  if (template) refuseBesideTemplate({ message, media }, 'action.');
  else if (action) requireCarriedText(message, media, 'action.message');
}

/** Whom another audience or project leaves out is to be met again by the hand-over, which skips them. */
function isTakenBackBy(change: FlowChange, flow: FlowRow): boolean {
  const isMoved = change.action !== undefined && change.action.projectId !== flow.project_id;
  return isMoved || isSwitchedOff(change, flow);
}

const isSwitchedOff = ({ active }: FlowChange, flow: FlowRow) => flow.is_active && active === false;
const isSwitchedOn = ({ active }: FlowChange, flow: FlowRow) => !flow.is_active && active === true;

/** The audience after the change; undefined where it stays as it is. */
function otherAudience(change: FlowChange, flow: FlowRow): Audience | undefined {
  const before = audienceOf(flow);
  const audience = givenAudience(change, before);
  return isOther(audience, before) ? audience : undefined;
}

const isOther = (value: object | undefined, before: object) =>
  value !== undefined && !isDeepStrictEqual({ ...value }, { ...before });

function changedColumns({ name, action, frequency, active }: FlowChange) {
  return {
    ...(name !== undefined && { name }),
    ...(action && { project_id: action.projectId, message: action.message }),
    ...(frequency && { frequency: JSON.stringify(frequency) }),
    ...(active !== undefined && { is_active: active }),
  };
}

/**
 * A flow that is or becomes active runs at once. A flow that is switched off stops, and its planned deliveries are
 * discarded: in the background, since they may be many. The others go on as they were.
 */
async function schedule(tx: Tx, before: FlowRow, { active = before.is_active }: FlowChange) {
  const now = tx.clock.now();
  const isDiscarding = before.discard_until !== null;
  const hasMore = before.waiting_count + before.queued_count > 0 || isDiscarding;
  if (active) return { next_run_at: now, next_feed_at: hasMore ? now : null };
  if (!before.is_active) return {};
  const last = await lastRecordId(tx);
  const stopped = { next_run_at: null, waiting_for: null, next_feed_at: hasMore ? now : null, stopped_until: last };
  return before.waiting_count === 0 ? stopped : { ...stopped, waiting_count: 0, discard_until: last };
}

/** Whatever is stored from now on has a higher one. */
async function lastRecordId({ db }: Tx): Promise<number> {
  const { rows } = await sql<{ id: number }>`select next_record_id() as id`.execute(db);
  return rows[0]?.id ?? 0;
}

/** Everybody is looked at again where somebody may match now who did not before. */
function search(before: FlowRow, change: FlowChange & { isOtherAudience: boolean }, now: Date) {
  const isOn = isSwitchedOn(change, before);
  const isAnew = isOn || change.isOtherAudience || isOther(change.frequency, before.frequency);
  return {
    ...(isAnew && { ...unsearched, last_error: null, failed_runs: 0 }),
    ...(isOn && change.skip_current === true && { skip_before: now }),
    ...(isSwitchedOff(change, before) && { skip_before: null }),
  };
}
