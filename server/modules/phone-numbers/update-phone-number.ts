import type { PhoneNumber, PhoneNumberChange } from '#contracts/phone-numbers.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/live/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { phoneNotifications } from './channels.ts';
import { presentPhone } from './present.ts';
import { sealProxy } from './proxy/seal-proxy.ts';
import { getPhone, momentOf } from './queries.ts';

export async function updatePhoneNumber(
  ctx: AccountContext,
  input: { phoneId: number; change: PhoneNumberChange },
): Promise<PhoneNumber> {
  const phone = await getPhone(ctx, input.phoneId);
  const { name, proxy, ...settings } = input.change;
  const change = {
    ...settings,
    ...(name !== undefined && { name: name || null }),
    ...(proxy !== undefined && sealProxy(ctx, phone, proxy)),
  };
  if (Object.keys(change).length === 0) return presentPhone(ctx, phone, momentOf(ctx));
  return inTransaction(ctx, async (tx) => {
    const row = await tx.db
      .updateTable('phones')
      .set(change)
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', phone.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    // The worker that holds it connects anew.
    if (proxy !== undefined) await notify(tx.db, phoneNotifications([row.id]));
    await publishLive(tx, ctx.account.id, { type: 'phones.changed', project_id: row.project_id, phone_id: row.id });
    return presentPhone(tx, row, momentOf(ctx));
  });
}
