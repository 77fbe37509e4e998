import type { WrittenPerson } from '#contracts/new-message.ts';
import type { Suppression } from '#contracts/suppressions.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { requireNumber } from '#server/modules/numbers/reading/index.ts';
import { suppressNumbers } from '#server/modules/audience/suppressions/index.ts';
import { presentSuppression } from '../present.ts';
import { actorOf } from '../actor-of.ts';
import { personOfLid } from '../find-number.ts';
import { findSuppression } from './get-suppression.ts';

type AddSuppression = { phone: WrittenPerson; note?: string | null | undefined };

/**
 * A number that is on the list already stays as it is: the first opt-out and its reason count. Throws 422
 * `number_not_clear`: a number that nobody has on the list would leave its owner off it.
 */
export async function addSuppression(ctx: AccountContext, input: AddSuppression): Promise<Suppression> {
  const phone = await personOf(ctx, input.phone);
  const note = input.note || null;
  return inTransaction(ctx, async (tx) => {
    await suppressNumbers(tx, { accountId: tx.account.id, numbers: [{ phone, note }], by: actorOf(tx) });
    const row = await findSuppression(tx, phone);
    if (!row) throw new Error('A number that was put on the list is not there');
    return presentSuppression(row);
  });
}

const personOf = (ctx: AccountContext, asked: WrittenPerson) =>
  'lid' in asked ? personOfLid(ctx, asked.lid) : requireNumber(ctx, { ...asked, path: 'phone' });
