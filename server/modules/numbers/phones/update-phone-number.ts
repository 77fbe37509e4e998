import { connectorTraits } from '#contracts/connectors.ts';
import { asksForPace, noPaceText } from '#contracts/phone-numbers.ts';
import type { PhoneNumber, PhoneNumberChange } from '#contracts/phone-numbers.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { recordDestinationChange } from '#server/modules/identity/users/index.ts';
import type { Origin } from '#server/modules/identity/users/index.ts';
import { protectPhone } from '#server/modules/numbers/health/index.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { InvalidInputError, NotFoundError } from '#server/platform/errors.ts';
import { phoneNotifications } from './channels.ts';
import { changedMaximum } from './daily-maximum.ts';
import { presentPhone } from './present.ts';
import { sealProxy } from './proxy/seal-proxy.ts';
import { changeOfficialAccess } from './official/official-numbers.ts';
import { getPhone, momentOf } from './queries.ts';

/** A proxy sees what its phone sends: its change is written down with where it came from. */
type UpdatePhoneNumber = { phoneId: number; change: PhoneNumberChange; origin?: Origin };

export async function updatePhoneNumber(ctx: AccountContext, input: UpdatePhoneNumber): Promise<PhoneNumber> {
  const phone = await getPhone(ctx, input.phoneId);
  const { name, proxy: given, protection, calls, cloud: named, max_daily_messages: most, ...settings } = input.change;
  // The address that is shown has no password: sent back, it changes nothing.
  const proxy = given === phone.proxy ? undefined : given;
  // Likewise: of an official number nothing is shown that could be changed.
  const cloud = named && Object.keys(named).length > 0 ? named : undefined;
  const { isPaced } = connectorTraits[phone.connector];
  if (!isPaced && asksForPace(protection)) throw new InvalidInputError([{ path: 'protection', message: noPaceText }]);
  const maximum = changedMaximum(phone.connector, most);
  const change = {
    ...settings,
    ...(maximum !== undefined && { max_daily_messages: maximum }),
    ...(name !== undefined && { name: name || null }),
    ...(calls?.reject !== undefined && { rejects_calls: calls.reject }),
    ...(calls?.text !== undefined && { rejected_call_text: calls.text }),
    ...(proxy !== undefined && sealProxy(ctx, phone, proxy)),
  };
  if (Object.keys(change).length === 0 && !protection && !cloud) return presentPhone(ctx, phone, momentOf(ctx));
  return inTransaction(ctx, async (tx) => {
    if (protection && isPaced) {
      await protectPhone(tx, { accountId: ctx.account.id, phoneId: phone.id }, protection);
    }
    if (cloud) await changeOfficialAccess(tx, { phoneId: phone.id, access: cloud });
    const row = await tx.db
      .updateTable('phones')
      // A statement sets something, also where health or access alone is changed.
      .set({ project_id: phone.project_id, ...change })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', phone.id)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw new NotFoundError('Phone number');
    // The worker that holds it connects anew.
    if (proxy !== undefined || cloud) await notify(tx.db, phoneNotifications([row.id]));
    if (proxy !== undefined && input.origin) {
      const detail = row.name ?? row.number ?? `Phone ${row.id}`;
      await recordDestinationChange(tx, { type: 'proxy_changed', origin: input.origin, detail });
    }
    await publishLive(tx, ctx.account.id, { type: 'phones.changed', project_id: row.project_id, phone_id: row.id });
    return presentPhone(tx, row, momentOf(ctx));
  });
}
