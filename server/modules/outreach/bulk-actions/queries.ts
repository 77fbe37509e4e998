import { sql } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { scopeOf } from '#server/scope.ts';
import type { BulkRecord } from './record.ts';

/** Of rows `b`. */
export const recordColumns = sql`b.account_id, b.id, b.resource, b.action, b.tags, b.filter, b.until_id, b.status,
  b.after_id, b.total_count, b.done_count, b.changed_count, b.failed_count, b.undone_count, b.failures, b.error,
  b.created_at, b.starts_at, b.worked_at, b.finished_at, b.ids is not null as has_ids`;

/** A member who is narrowed to projects sees none: an action is about things of the whole account. */
export async function getRecord(ctx: AccountContext, actionId: number): Promise<BulkRecord> {
  const { rows } = await sql<BulkRecord>`
    select ${recordColumns} from bulk_actions b where b.account_id = ${ctx.account.id} and b.id = ${actionId}
  `.execute(ctx.db);
  if (!rows[0] || scopeOf(ctx).projectIds !== null) throw new NotFoundError('Bulk action');
  return rows[0];
}

/** Nobody works on it before the transaction ends. */
export async function lockRecord(tx: Tx<AccountContext>, actionId: number): Promise<BulkRecord> {
  await sql`
    select from bulk_actions where account_id = ${tx.account.id} and id = ${actionId} for update
  `.execute(tx.db);
  return getRecord(tx, actionId);
}

const latest = 20;

export async function findLatest(ctx: AccountContext): Promise<BulkRecord[]> {
  const { rows } = await sql<BulkRecord>`
    select ${recordColumns} from bulk_actions b where b.account_id = ${ctx.account.id} order by b.id desc limit ${latest}
  `.execute(ctx.db);
  return scopeOf(ctx).projectIds === null ? rows : [];
}
