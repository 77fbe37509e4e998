import { sql } from 'kysely';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { nextItems } from './find-items.ts';
import { recordColumns } from './queries.ts';
import type { BulkChange, BulkRecord, ChunkResult } from './record.ts';
import { oppositeOf } from './record.ts';
import { changeItem } from './work-on-items.ts';
import { changeProfiles, undoProfiles } from './work-on-profiles.ts';

/** The action that was worked on, and what went wrong with it; undefined when there is none to work on. */
export type WorkDone = { record: BulkRecord; fault: unknown } | undefined;

const profilesPerChunk = 500;
const keptFailures = 20;

/**
 * Takes the next part of the action that has waited longest, in one transaction: what it changes, how far it has come
 * and what can be undone are there together or not at all. The lock on the action keeps other processes at others.
 */
export async function workOnBulkAction(ctx: Context): Promise<WorkDone> {
  let record: BulkRecord | undefined;
  try {
    await inTransaction(ctx, async (tx) => {
      const next = await lockNext(tx);
      if (!next) return;
      record = next.record;
      const account = { ...tx, account: { id: record.account_id, timezone: next.timezone } };
      if (record.status === 'undoing') await undoPart(account, record);
      else await workOnPart(account, record);
    });
  } catch (fault) {
    if (!record) throw fault;
    return { record, fault };
  }
  return record && { record, fault: undefined };
}

/** Of the account that was served longest ago, however many actions it has under way. */
// account-wide: a worker serves the actions of all accounts.
async function lockNext(tx: Tx): Promise<{ record: BulkRecord; timezone: string } | undefined> {
  const { rows } = await sql<BulkRecord & { timezone: string }>`
    select ${recordColumns}, (select timezone from accounts where accounts.id = b.account_id) as timezone
      from bulk_actions b
     where status in ('working', 'undoing') and (starts_at is null or starts_at <= ${tx.clock.now()})
     order by (select max(worked_at) from bulk_actions own
                where own.account_id = b.account_id and own.status in ('working', 'undoing')), worked_at
     limit 1 for update skip locked
  `.execute(tx.db);
  const [row] = rows;
  if (!row) return undefined;
  const { timezone, ...record } = row;
  return { record, timezone };
}

async function workOnPart(tx: Tx<AccountContext>, record: BulkRecord): Promise<void> {
  const ids = await nextItems(tx, record, record.resource === 'profiles' ? profilesPerChunk : 1);
  const last = ids.at(-1);
  if (last === undefined) return finish(tx, record, 'completed');
  const result = await changeThem(tx, record, ids);
  await keepChanges(tx, record, result.changes);
  const failures = [...record.failures, ...result.failures].slice(0, keptFailures);
  await tx.db
    .updateTable('bulk_actions')
    .set({
      after_id: last,
      done_count: record.done_count + ids.length,
      // Some that the filter found at first may be gone, and others have come to match.
      total_count: Math.max(record.total_count, record.done_count + ids.length),
      changed_count: record.changed_count + result.changes.length,
      failed_count: record.failed_count + result.failures.length,
      failures: JSON.stringify(failures),
      worked_at: tx.clock.now(),
    })
    .where('account_id', '=', record.account_id)
    .where('id', '=', record.id)
    .execute();
}

async function changeThem(tx: Tx<AccountContext>, record: BulkRecord, ids: readonly number[]): Promise<ChunkResult> {
  if (record.resource === 'profiles') return changeProfiles(tx, record, ids);
  return changeItem(tx, { resource: record.resource, action: record.action, id: ids[0] ?? 0, isUndo: false });
}

async function keepChanges(tx: Tx, record: BulkRecord, changes: readonly BulkChange[]): Promise<void> {
  if (changes.length === 0 || oppositeOf(record) === undefined) return;
  await sql`
    insert into bulk_action_changes (account_id, action_id, item_id, tags, phone, item)
    select ${record.account_id}, ${record.id}, x.item_id, x.tags, x.phone, x.item
      from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as x (item_id bigint, tags text[], phone text, item jsonb)
  `.execute(tx.db);
}

async function undoPart(tx: Tx<AccountContext>, record: BulkRecord): Promise<void> {
  const changes = await tx.db
    .selectFrom('bulk_action_changes')
    .select(['item_id', 'tags', 'phone', 'item'])
    .where('account_id', '=', record.account_id)
    .where('action_id', '=', record.id)
    .where('item_id', '>', record.after_id)
    .orderBy('item_id')
    .limit(record.resource === 'profiles' ? profilesPerChunk : 1)
    .execute();
  const last = changes.at(-1)?.item_id;
  if (last === undefined) return finish(tx, record, 'undone');
  let undone = changes.length;
  if (record.resource === 'profiles') undone = await undoProfiles(tx, record, changes);
  else {
    const action = oppositeOf(record) ?? record.action;
    await changeItem(tx, { resource: record.resource, action, id: last, isUndo: true });
  }
  await tx.db
    .updateTable('bulk_actions')
    .set({ after_id: last, undone_count: record.undone_count + undone, worked_at: tx.clock.now() })
    .where('account_id', '=', record.account_id)
    .where('id', '=', record.id)
    .execute();
}

async function finish(tx: Tx, record: BulkRecord, status: 'completed' | 'undone'): Promise<void> {
  const now = tx.clock.now();
  await tx.db
    .updateTable('bulk_actions')
    .set({ status, total_count: record.done_count, worked_at: now, finished_at: now })
    .where('account_id', '=', record.account_id)
    .where('id', '=', record.id)
    .execute();
}
