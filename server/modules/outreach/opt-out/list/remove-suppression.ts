import type { WrittenPerson } from '#contracts/new-message.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { liftSuppressions } from '#server/modules/audience/suppressions/index.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { actorOf } from '../actor-of.ts';
import { findNumber } from '../find-number.ts';

/** Throws 404 for a number that is not on the list. */
export async function removeSuppression(
  ctx: AccountContext,
  input: { phone: WrittenPerson; reason: string },
): Promise<void> {
  const phone = await findNumber(ctx, input.phone);
  const lift = { accountId: ctx.account.id, phones: [phone], by: actorOf(ctx), reason: input.reason };
  const lifted = await inTransaction(ctx, (tx) => liftSuppressions(tx, lift));
  if (lifted.size === 0) throw new NotFoundError('Opted-out number');
}
