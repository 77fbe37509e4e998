import { sql } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import type { SegmentRow } from './present.ts';

export function findSegmentRow(ctx: AccountContext, segmentId: number): Promise<SegmentRow | undefined> {
  return ctx.db
    .selectFrom('segments')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', segmentId)
    .executeTakeFirst();
}

export async function getSegmentRow(ctx: AccountContext, segmentId: number): Promise<SegmentRow> {
  const row = await findSegmentRow(ctx, segmentId);
  if (!row) throw new NotFoundError('Segment');
  return row;
}

/** Throws 404 where there is none; else it is not deleted before the transaction ends. */
export async function holdSegment(tx: Tx<AccountContext>, segmentId: number): Promise<void> {
  const row = await tx.db
    .selectFrom('segments')
    .select('id')
    .where('account_id', '=', tx.account.id)
    .where('id', '=', segmentId)
    .forKeyShare()
    .executeTakeFirst();
  if (!row) throw new NotFoundError('Segment');
}

/** Newest first; those with the ids where they are given. */
export function findSegmentRows(ctx: AccountContext, ids?: readonly number[]): Promise<SegmentRow[]> {
  return ctx.db
    .selectFrom('segments')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .$if(ids !== undefined, (query) => query.where('id', '=', sql<number>`any(${ids ?? []}::bigint[])`))
    .orderBy('id', 'desc')
    .execute();
}
