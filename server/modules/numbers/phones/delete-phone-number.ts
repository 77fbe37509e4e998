import type { AccountContext } from '#server/context.ts';
import { recordingAct } from '#server/audit.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { keepNumber } from '#server/modules/numbers/health/index.ts';
import { longStatementMs, setStatementTimeout } from '#server/platform/db/timeouts.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { signOutAndWait } from './disconnect-phone.ts';
import { getPhone } from './queries.ts';

/** Messages that still wait for it fail with the reason: the messages module reacts to `phone.deleted`. */
export async function deletePhoneNumber(ctx: AccountContext, input: { phoneId: number }): Promise<void> {
  const phone = await getPhone(ctx, input.phoneId);
  await signOutAndWait(ctx, [phone]);
  await recordingAct(ctx, async (tx) => {
    await setStatementTimeout(tx.db, longStatementMs);
    if (phone.number) await keepNumber(tx, { accountId: ctx.account.id, phoneId: phone.id, number: phone.number });
    const { numDeletedRows: deleted } = await tx.db
      .deleteFrom('phones')
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', phone.id)
      .executeTakeFirst();
    if (deleted === 0n) throw new NotFoundError('Phone number');
    const source = { accountId: ctx.account.id, projectId: phone.project_id, at: ctx.clock.now() };
    await tx.onDomainEvents(tx, [
      // The project is locked before messages are.
      { ...source, type: 'phone.status_changed' },
      { ...source, type: 'phone.deleted', phoneId: phone.id },
    ]);
    await publishLive(tx, ctx.account.id, {
      type: 'phones.changed',
      project_id: phone.project_id,
      phone_id: phone.id,
    });
  });
}
