import { randomInt } from 'node:crypto';
import { connectorTraits } from '#contracts/connectors.ts';
import type { NewPhoneNumber, PhoneNumber } from '#contracts/phone-numbers.ts';
import type { AccountContext } from '#server/context.ts';
import { protectPhone, restoreNumber } from '#server/modules/numbers/health/index.ts';
import { requireNumber } from '#server/modules/numbers/reading/index.ts';
import { refuseOnTrial } from '#server/modules/identity/billing/index.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { getProject, holdProject } from '#server/modules/identity/projects/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { isUniqueViolation } from '#server/platform/db/errors.ts';
import { ConflictError } from '#server/platform/errors.ts';
import { inTransaction } from '#server/context.ts';
import { phoneNotifications } from './channels.ts';
import { maximumOfNew } from './daily-maximum.ts';
import { keepOfficialNumber } from './official/official-numbers.ts';
import { presentPhone } from './present.ts';
import { momentOf } from './queries.ts';

/** Of a calling code that no country has (+999): nobody is taken for it. */
const inventNumber = () => `999${randomInt(100_000_000, 1_000_000_000)}`;

/** A sandbox that is given no number gets one and is connected at once. */
export async function addPhoneNumber(
  ctx: AccountContext,
  input: { projectId: number; phone: NewPhoneNumber },
): Promise<PhoneNumber> {
  await getProject(ctx, input.projectId);
  if (!connectorTraits[input.phone.connector].isSimulated) await refuseOnTrial(ctx);
  const now = ctx.clock.now();
  const { phone_number: given, name, protection, cloud, max_daily_messages: most, ...settings } = input.phone;
  const number = given ? await requireNumber(ctx, { ...given, path: 'phone_number' }) : inventNumber();
  try {
    return await inTransaction(ctx, async (tx) => {
      await holdProject(tx, input.projectId);
      const row = await tx.db
        .insertInto('phones')
        .values({
          ...settings,
          max_daily_messages: maximumOfNew(settings.connector, most),
          ...(given === undefined && { wanted: 'linking' as const }),
          account_id: ctx.account.id,
          project_id: input.projectId,
          number,
          name: name || null,
          status_changed_at: now,
          created_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const { isPaced } = connectorTraits[row.connector];
      await restoreNumber(tx, { accountId: ctx.account.id, phoneId: row.id, number, isPaced });
      if (protection && connectorTraits[row.connector].isPaced) {
        await protectPhone(tx, { accountId: ctx.account.id, phoneId: row.id }, protection);
      }
      if (cloud) await keepOfficialNumber(tx, { phoneId: row.id, access: cloud });
      if (given === undefined) await notify(tx.db, phoneNotifications([row.id]));
      await publishLive(tx, ctx.account.id, { type: 'phones.changed', project_id: input.projectId, phone_id: row.id });
      return presentPhone(tx, row, momentOf(ctx));
    });
  } catch (error) {
    if (isUniqueViolation(error)) {
      throw new ConflictError('phone_exists', 'This project already has that phone number');
    }
    throw error;
  }
}
