import type { Tx } from '#server/context.ts';
import { notify } from '#server/platform/db/notify.ts';
import { outboxNotifications } from './channels.ts';

/** Notifies the workers that what waits for the account's phones may go out now. */
export async function wakePhones(tx: Tx, accountId: number): Promise<void> {
  const phones = await tx.db
    .selectFrom('phones')
    .select('id')
    .where('account_id', '=', accountId)
    .where('wanted', '<>', 'offline')
    .execute();
  const ids = phones.map(({ id }) => id);
  await notify(tx.db, outboxNotifications(ids));
}
