import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { watchLive } from '#server/modules/identity/live/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { changePhone } from './change-phone.ts';
import { presentPhone } from './present.ts';
import type { PhoneRow } from './tables.ts';
import { getPhone, momentOf } from './queries.ts';
import { phoneNotifications } from './channels.ts';

/** How long a caller waits for the network to confirm a sign-out; the worker finishes it either way. */
const signOutWaitMs = 5_000;

/** The phone is disconnected for its owner at once; its worker takes the device off the account. */
export async function disconnectPhone(ctx: AccountContext, input: { phoneId: number }): Promise<PhoneNumber> {
  const phone = await getPhone(ctx, input.phoneId);
  return presentPhone(ctx, await requestSignOut(ctx, phone, { isAskedByOwner: true }), momentOf(ctx));
}

/**
 * Asked for by its owner, any phone becomes disconnected; otherwise only one that was connected before. `reason` is
 * what its owner reads where they did not ask.
 */
async function requestSignOut(
  ctx: AccountContext,
  phone: PhoneRow,
  { isAskedByOwner, reason = null }: { isAskedByOwner: boolean; reason?: string | null },
): Promise<PhoneRow> {
  return inTransaction(ctx, async (tx) => {
    const before = await tx.db
      .selectFrom('phones')
      .select(['account_id', 'id', 'status', 'was_connected', 'wanted'])
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', phone.id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!before) return phone;
    const row = await changePhone(tx, before, {
      wanted: 'offline',
      // A phone that was never asked to link has nothing to sign out from.
      ...((before.was_connected || before.wanted !== 'offline') && { sign_out_requested: true }),
      ...(before.status !== 'disconnected' &&
        (isAskedByOwner || before.was_connected) && {
          status: 'disconnected',
          status_changed_at: ctx.clock.now(),
          connected_at: null,
        }),
      error: reason,
      link_qr: null,
      link_expires_at: null,
      pairing_requested: false,
      pairing_code: null,
    });
    await notify(tx.db, phoneNotifications([row.id]));
    return row;
  });
}

/** Signs phones out and waits a little for the network to confirm it, before their rows and credentials are deleted. */
export async function signOutAndWait(ctx: AccountContext, phones: readonly PhoneRow[]): Promise<void> {
  const ids = phones.map(({ id }) => id);
  if (ids.length === 0) return;
  using watch = watchLive(ctx, (event) => event.type === 'phones.changed' && ids.includes(event.phone_id));
  for (const phone of phones) await requestSignOut(ctx, phone, { isAskedByOwner: false });
  await watch.until(async () => (await countOwedSignOuts(ctx, ids)) === 0, signOutWaitMs);
}

async function countOwedSignOuts(ctx: AccountContext, phoneIds: readonly number[]): Promise<number> {
  const { owed } = await ctx.db
    .selectFrom('phones')
    .select(({ fn }) => fn.countAll<number>().as('owed'))
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', phoneIds)
    .where('sign_out_requested', '=', true)
    .executeTakeFirstOrThrow();
  return owed;
}

/** Signs out every phone of a project. */
export async function signOutProjectPhones(ctx: AccountContext, input: { projectId: number }): Promise<void> {
  const phones = await ctx.db
    .selectFrom('phones')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('project_id', '=', input.projectId)
    .execute();
  await signOutAndWait(ctx, phones);
}

/** Signs out every linked phone of an account, without waiting for the network; `reason` is shown beside each. */
export async function signOutAccountPhones(ctx: AccountContext, reason: string): Promise<void> {
  const phones = await ctx.db
    .selectFrom('phones')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('wanted', '<>', 'offline')
    .execute();
  for (const phone of phones) await requestSignOut(ctx, phone, { isAskedByOwner: false, reason });
}
