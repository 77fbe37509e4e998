import { sql } from 'kysely';
import type { z } from 'zod';
import { mostLabelsOfConversation } from '#contracts/conversation-labels.ts';
import type { ConversationDetail, updateConversation as contract } from '#contracts/conversations.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { isOfContact } from '#server/modules/messaging/messages/index.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import { isDeepStrictEqual } from 'node:util';
import { requireAssignee } from './assignees.ts';
import { findIds, labelIdsOf } from './labels/labels.ts';
import { requestReadReceipts } from './presence/read-receipts.ts';
import { getConversation } from './get-conversation.ts';
import { getConversationRow, readConversation, readForEvent } from './read-conversations.ts';
import { requireSnoozeTime } from './snooze.ts';
import type { ConversationRow } from './tables.ts';
import { noteStatus } from './times/episodes.ts';

type Change = z.output<typeof contract.body>;
/** `add_labels` and `remove_labels` are of a change of many. */
type UpdateConversation = Change & {
  conversationId: number;
  add_labels?: readonly string[] | undefined;
  remove_labels?: readonly string[] | undefined;
};

export async function updateConversation(ctx: AccountContext, change: UpdateConversation): Promise<ConversationDetail> {
  return inTransaction(ctx, async (tx) => {
    await changeConversation(tx, change);
    return getConversation(tx, change);
  });
}

/**
 * Changes what is named, and says whether that changed anything. The row is locked, so that what arrives meanwhile is
 * counted after it.
 */
export async function changeConversation(
  tx: Tx<AccountContext>,
  { conversationId, ...change }: UpdateConversation,
): Promise<boolean> {
  if (change.read === true || (change.read === undefined && change.read_up_to !== undefined)) {
    await requestReadReceipts(tx, { conversationId, upTo: change.read_up_to });
  }
  // Labels are made under a lock of their own, which comes before that of the conversation.
  const labels = await namedLabels(tx, change);
  const row = await getConversationRow(tx, conversationId, { isLocked: true });
  const unread = await unreadAfter(tx, row, change);
  const snoozedUntil = snoozedAfter(tx, row, change);
  const status = change.status ?? (change.snoozed_until ? 'open' : row.status);
  const mark = change.may_want_to_opt_out ?? row.may_want_to_opt_out;
  const assignment = await assignmentAfter(tx, row, change.assigned_to);
  const labelIds = await labelsAfter(tx, row, labels);
  const isSame =
    unread === row.unread_count &&
    status === row.status &&
    mark === row.may_want_to_opt_out &&
    snoozedUntil?.getTime() === row.snoozed_until?.getTime() &&
    isDeepStrictEqual(labelIds, row.label_ids);
  if (assignment || !isSame) {
    await tx.db
      .updateTable('conversations')
      .set({
        unread_count: unread,
        status,
        may_want_to_opt_out: mark,
        label_ids: labelIds,
        ...(snoozedUntil?.getTime() !== row.snoozed_until?.getTime() && {
          snoozed_until: snoozedUntil,
          snoozed_by: tx.actor.kind === 'user' ? tx.actor.userId : null,
        }),
        ...assignment,
      })
      .where('account_id', '=', tx.account.id)
      .where('id', '=', row.id)
      .execute();
    await noteStatus(tx, row, status);
    const news = { type: 'conversations.changed', project_id: row.project_id, conversation_id: row.id } as const;
    await publishLive(tx, tx.account.id, news);
    const isDone = status === 'done' && row.status !== 'done';
    await announce(tx, row, [
      ...(assignment ? (['conversation.assigned'] as const) : []),
      ...(isDone ? (['conversation.done'] as const) : []),
    ]);
  }
  return assignment !== undefined || !isSame;
}

async function announce(
  tx: Tx<AccountContext>,
  { id, project_id: projectId }: ConversationRow,
  types: readonly ('conversation.assigned' | 'conversation.done')[],
): Promise<void> {
  if (types.length === 0) return;
  const data = await readForEvent(tx, id);
  const source = { accountId: tx.account.id, projectId, at: tx.clock.now() };
  await tx.onDomainEvents(
    tx,
    types.map((type) => ({ ...source, type, data })),
  );
}

/** Done ends it; what is snoozed is open. */
function snoozedAfter(tx: Tx<AccountContext>, row: ConversationRow, change: Change): Date | null {
  const { status, snoozed_until: until } = change;
  if (until === undefined) return status === 'done' ? null : row.snoozed_until;
  if (until === null) return null;
  if (status === 'done') {
    const message = 'A conversation that is done is not snoozed: leave out status, or say open';
    throw new InvalidInputError([{ path: 'snoozed_until', message }]);
  }
  const at = new Date(until);
  requireSnoozeTime(tx, at);
  return at;
}

type NamedLabels = { all?: readonly number[] | undefined; added: readonly number[]; removed: readonly number[] };

/** The labels that a change names, by their ids. */
async function namedLabels(
  tx: Tx<AccountContext>,
  { labels, add_labels: added = [], remove_labels: removed = [] }: Omit<UpdateConversation, 'conversationId'>,
): Promise<NamedLabels> {
  return {
    ...(labels !== undefined && { all: await labelIdsOf(tx, labels) }),
    added: await labelIdsOf(tx, added),
    removed: removed.length === 0 ? [] : [...(await findIds(tx, removed)).values()],
  };
}

/** Throws 422 where a conversation would have more than it may have. */
async function labelsAfter(
  tx: Tx<AccountContext>,
  { label_ids: current }: ConversationRow,
  { all, added, removed }: NamedLabels,
): Promise<number[]> {
  if (all === undefined && added.length + removed.length === 0) return current;
  const ids = new Set([...(all ?? (await existing(tx, current))), ...added].filter((id) => !removed.includes(id)));
  if (ids.size > mostLabelsOfConversation) {
    const message = `A conversation has at most ${mostLabelsOfConversation} labels`;
    throw new InvalidInputError([{ path: all === undefined ? 'add_labels' : 'labels', message }]);
  }
  return [...ids].toSorted((a, b) => a - b);
}

/** Without those that were deleted. */
async function existing(tx: Tx<AccountContext>, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await tx.db
    .selectFrom('conversation_labels')
    .select('id')
    .where('account_id', '=', tx.account.id)
    .where('id', 'in', ids)
    .execute();
  return rows.map(({ id }) => id);
}

type Assignment = Pick<ConversationRow, 'assigned_to' | 'assigned_at'>;

/** Undefined where it stays as it is. */
async function assignmentAfter(
  tx: Tx<AccountContext>,
  row: ConversationRow,
  userId: number | null | undefined,
): Promise<Assignment | undefined> {
  if (userId === undefined) return undefined;
  const { assigned_to: current } = await readConversation(tx, row.id);
  if (userId === current) return undefined;
  if (userId === null) return { assigned_to: null, assigned_at: null };
  await requireAssignee(tx, { userId, projectId: row.project_id });
  return { assigned_to: userId, assigned_at: tx.clock.now() };
}

async function unreadAfter(
  ctx: AccountContext,
  row: ConversationRow,
  { read, read_up_to: upTo }: Change,
): Promise<number> {
  if (read === false) return Math.max(1, row.unread_count);
  if (read === undefined && upTo === undefined) return row.unread_count;
  if (upTo === undefined || row.unread_count === 0) return 0;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from (select from messages
             where ${isOfContact(row)} and id > ${upTo} and direction = 'incoming'
             limit ${row.unread_count}) as later
  `.execute(ctx.db);
  return rows[0]?.count ?? 0;
}
