import type { AccountContext } from '#server/context.ts';
import { NotFoundError } from '#server/platform/errors.ts';

/** Its profiles stay. */
export async function deleteSegment(ctx: AccountContext, input: { segmentId: number }): Promise<void> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('segments')
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', input.segmentId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new NotFoundError('Segment');
}
