import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { conditionOf } from './present.ts';

/** Its profiles stay. */
export async function deleteSegment(ctx: AccountContext, input: { segmentId: number }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const deleted = await tx.db
      .deleteFrom('segments')
      .where('account_id', '=', tx.account.id)
      .where('id', '=', input.segmentId)
      .returningAll()
      .executeTakeFirst();
    if (!deleted) throw new NotFoundError('Segment');
    const source = { accountId: tx.account.id, at: tx.clock.now() };
    await tx.onDomainEvents(tx, [
      { ...source, type: 'segment.deleted', segmentId: deleted.id, condition: conditionOf(deleted) },
    ]);
  });
}
