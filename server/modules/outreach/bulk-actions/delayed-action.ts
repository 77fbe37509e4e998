import { sql } from 'kysely';
import type { BulkActionName, BulkResource } from '#contracts/bulk-actions.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { requireUnusedSegment } from '#server/modules/audience/segments/index.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { itemTables } from './find-items.ts';
import type { BulkRecord } from './record.ts';
import { changeItem } from './work-on-items.ts';

type Delayed = { resource: BulkResource; action: BulkActionName; ids: readonly number[] };

/**
 * When an action with a delay begins; null: at once. Refuses what would be refused when it begins: nobody looks any more
 * then.
 */
export async function startOf(
  tx: Tx<AccountContext>,
  delayed: Delayed,
  seconds: number | undefined,
): Promise<Date | null> {
  if (seconds === undefined) return null;
  await requireLeavable(tx, delayed);
  return (await isHoldable(tx, delayed)) ? new Date(tx.clock.now().getTime() + seconds * 1000) : null;
}

/** A campaign that is being created cannot be paused, and would send before its deletion begins. */
async function isHoldable(tx: Tx<AccountContext>, { resource, ids }: Delayed): Promise<boolean> {
  if (resource !== 'campaigns') return true;
  const { rows } = await sql`
    select from campaigns where account_id = ${tx.account.id} and id = any(${ids}::bigint[]) and status = 'creating' limit 1
  `.execute(tx.db);
  return rows.length === 0;
}

async function requireLeavable(tx: Tx<AccountContext>, { resource, action, ids }: Delayed): Promise<void> {
  const { rows } = await sql`
    select from ${sql.table(itemTables[resource])} as s where s.account_id = ${tx.account.id}
       and s.id = any(${ids}::bigint[]) limit 1
  `.execute(tx.db);
  if (rows.length === 0) throw new NotFoundError('Nothing of this');
  if (resource !== 'segments' || action !== 'delete') return;
  for (const segmentId of ids) await requireUnusedSegment(tx, segmentId);
}

/** The change that stops a thing from sending until its action begins, and the change that lets it go on. */
const holds: Partial<Record<`${BulkResource} ${BulkActionName}`, { hold: BulkActionName; release: BulkActionName }>> = {
  'campaigns delete': { hold: 'pause', release: 'resume' },
  'campaigns cancel': { hold: 'pause', release: 'resume' },
  'flows delete': { hold: 'deactivate', release: 'activate' },
};

/** A thing that sends has to stop at once, also where it is deleted by mistake; the things that were stopped are noted. */
export async function holdItems(
  tx: Tx<AccountContext>,
  { id: actionId, resource, action, ids }: Delayed & { id: number },
) {
  const held = holds[`${resource} ${action}`];
  if (held === undefined) return;
  await lockItems(tx, resource, ids);
  for (const id of ids) {
    const { changes } = await changeItem(tx, { resource, action: held.hold, id, isHold: true });
    if (changes.length === 0) continue;
    await tx.db
      .insertInto('bulk_action_changes')
      .values({ account_id: tx.account.id, action_id: actionId, item_id: id, tags: null, phone: null, item: null })
      .execute();
  }
}

/** The things that the action stopped go on, but for those that another action is still about to begin with. */
export async function releaseItems(tx: Tx<AccountContext>, record: BulkRecord): Promise<void> {
  const { id: actionId, resource, action } = record;
  const held = holds[`${resource} ${action}`];
  if (held === undefined) return;
  const items = await tx.db
    .deleteFrom('bulk_action_changes')
    .where('account_id', '=', tx.account.id)
    .where('action_id', '=', actionId)
    .returning('item_id')
    .execute();
  const ids = items.map(({ item_id: id }) => id).toSorted((one, other) => one - other);
  await lockItems(tx, resource, ids);
  for (const id of ids) {
    if (await isHeldOn(tx, record, id)) continue;
    await changeItem(tx, { resource, action: held.release, id, isUndo: true });
  }
}

/** Of an action that begins to hold a thing and one that lets it go at the same time, the second sees what the first did. */
async function lockItems(tx: Tx<AccountContext>, resource: BulkResource, ids: readonly number[]): Promise<void> {
  await sql`
    select from ${sql.table(itemTables[resource])} as s
     where s.account_id = ${tx.account.id} and s.id = any(${ids}::bigint[])
     order by s.id for no key update
  `.execute(tx.db);
}

/** Notes a thing for another action that waits to begin with it, if there is one: it found the thing stopped already. */
async function isHeldOn(tx: Tx<AccountContext>, { id, resource }: BulkRecord, itemId: number): Promise<boolean> {
  const holding = Object.keys(holds).filter((each) => each.startsWith(`${resource} `));
  const { rows } = await sql`
    with other as (
      select b.id from bulk_actions b
       where b.account_id = ${tx.account.id} and b.resource = ${resource} and b.id <> ${id}
         and b.resource || ' ' || b.action = any(${holding}::text[])
         and b.status = 'working' and b.starts_at is not null and b.done_count = 0 and ${itemId} = any(b.ids)
       -- An action that is being called off is locked, and lets its things go as well.
       order by b.id limit 1 for no key update skip locked
    ), noted as (
      insert into bulk_action_changes (account_id, action_id, item_id)
      select ${tx.account.id}, id, ${itemId} from other on conflict do nothing
    )
    select from other
  `.execute(tx.db);
  return rows.length > 0;
}
