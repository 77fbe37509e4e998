import type { PhoneNumber, PhoneNumberChange } from '#contracts/phone-numbers.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/live/index.ts';
import { presentPhone } from './present.ts';
import { getPhone, momentOf } from './queries.ts';

export async function updatePhoneNumber(
  ctx: AccountContext,
  input: { phoneId: number; change: PhoneNumberChange },
): Promise<PhoneNumber> {
  const phone = await getPhone(ctx, input.phoneId);
  const { name, ...settings } = input.change;
  const change = { ...settings, ...(name !== undefined && { name: name || null }) };
  if (Object.keys(change).length === 0) return presentPhone(ctx, phone, momentOf(ctx));
  return inTransaction(ctx, async (tx) => {
    const row = await tx.db
      .updateTable('phones')
      .set(change)
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', phone.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await publishLive(tx, ctx.account.id, { type: 'phones.changed', project_id: row.project_id, phone_id: row.id });
    return presentPhone(tx, row, momentOf(ctx));
  });
}
