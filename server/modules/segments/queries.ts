import type { AccountContext } from '#server/context.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import type { SegmentRow } from './present.ts';

export async function getSegmentRow(ctx: AccountContext, segmentId: number): Promise<SegmentRow> {
  const row = await ctx.db
    .selectFrom('segments')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', segmentId)
    .executeTakeFirst();
  if (!row) throw new NotFoundError('Segment');
  return row;
}

/** Newest first. */
export function findSegmentRows(ctx: AccountContext): Promise<SegmentRow[]> {
  return ctx.db
    .selectFrom('segments')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .orderBy('id', 'desc')
    .execute();
}
