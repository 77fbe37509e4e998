import type { BulkAction, BulkResource, NewBulkAction } from '#contracts/bulk-actions.ts';
import type { Permission } from '#contracts/permissions.ts';
import { requirePermission } from '#server/actor.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { notify } from '#server/platform/db/notify.ts';
import { ConflictError } from '#server/platform/errors.ts';
import { bulkActionsChannel } from './channels.ts';
import { measureFilter } from './find-items.ts';
import { getRecord, lockRecord } from './queries.ts';
import { holdItems, releaseItems, startOf } from './delayed-action.ts';
import { canUndo, presentBulkAction } from './record.ts';

const maxUnderWay = 20;

const wake = (tx: Tx) => notify(tx.db, [{ channel: bulkActionsChannel, payload: '' }]);

/** Begins in the background. Throws 409 `too_many_bulk_actions` while twenty are under way. */
export async function startBulkAction(ctx: AccountContext, input: NewBulkAction): Promise<BulkAction> {
  const { resource, action, tags = [], filter } = input;
  requirePermission(ctx, permissionOf[resource]);
  const ids = input.ids && [...new Set(input.ids)].toSorted((one, other) => one - other);
  return inTransaction(ctx, async (tx) => {
    await requireRoom(tx);
    const measured = ids
      ? { total: ids.length, until: ids.at(-1) ?? 0 }
      : await measureFilter(tx, resource, filter ?? {});
    const now = tx.clock.now();
    const startsAt = await startOf(tx, { resource, action, ids: ids ?? [] }, input.starts_in);
    const { id } = await tx.db
      .insertInto('bulk_actions')
      .values({
        account_id: tx.account.id,
        resource,
        action,
        tags,
        ids: ids ?? null,
        filter: filter === undefined ? null : JSON.stringify(filter),
        until_id: measured.until,
        status: 'working',
        total_count: measured.total,
        failures: '[]',
        created_at: now,
        starts_at: startsAt,
        worked_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (startsAt !== null) await holdItems(tx, { id, resource, action, ids: ids ?? [] });
    await wake(tx);
    return presentBulkAction(await getRecord(tx, id), now);
  });
}

async function requireRoom(tx: Tx<AccountContext>): Promise<void> {
  const { underWay } = await tx.db
    .selectFrom('bulk_actions')
    .select(({ fn }) => fn.countAll<number>().as('underWay'))
    .where('account_id', '=', tx.account.id)
    .where('status', 'in', ['working', 'undoing'])
    .executeTakeFirstOrThrow();
  if (underWay >= maxUnderWay) {
    throw new ConflictError('too_many_bulk_actions', 'Twenty bulk actions are under way. Wait for one to end');
  }
}

/** The permission that an action needs, by its kind of object. */
const permissionOf: Readonly<Record<BulkResource, Permission>> = {
  profiles: 'contacts:write',
  segments: 'contacts:write',
  campaigns: 'campaigns:write',
  flows: 'campaigns:write',
  phones: 'phones:write',
  templates: 'templates:write',
};

type Ref = { actionId: number };

/** Changes made so far stay; what waited to begin is as it was before. */
export async function cancelBulkAction(ctx: AccountContext, { actionId }: Ref): Promise<BulkAction> {
  return inTransaction(ctx, async (tx) => {
    const record = await lockRecord(tx, actionId);
    requirePermission(tx, permissionOf[record.resource]);
    if (record.status !== 'working') throw new ConflictError('bulk_action_finished', 'This is over already');
    const now = tx.clock.now();
    if (record.starts_at !== null && record.done_count === 0) await releaseItems(tx, record);
    await set(tx, actionId, { status: 'cancelled', finished_at: now });
    return presentBulkAction(await getRecord(tx, actionId), now);
  });
}

/** Throws 409 `cannot_undo` for what cannot be taken back, or is being taken back. */
export async function undoBulkAction(ctx: AccountContext, { actionId }: Ref): Promise<BulkAction> {
  return inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const record = await lockRecord(tx, actionId);
    requirePermission(tx, permissionOf[record.resource]);
    if (!canUndo(record, now)) throw new ConflictError('cannot_undo', 'This cannot be undone any more');
    await set(tx, actionId, { status: 'undoing', after_id: 0, finished_at: null });
    await wake(tx);
    return presentBulkAction(await getRecord(tx, actionId), now);
  });
}

type Change = { status: 'cancelled' | 'undoing'; after_id?: number; finished_at: Date | null };

async function set(tx: Tx<AccountContext>, actionId: number, change: Change): Promise<void> {
  await tx.db
    .updateTable('bulk_actions')
    .set({ ...change, worked_at: tx.clock.now() })
    .where('account_id', '=', tx.account.id)
    .where('id', '=', actionId)
    .execute();
}
