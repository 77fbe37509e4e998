import type { Tx } from '#server/context.ts';
import { notify } from '#server/platform/db/notify.ts';
import type { Notification } from '#server/platform/db/notify.ts';
import { credentialsChannel, projectKeysChannel } from './channels.ts';

/**
 * Sessions, keys, factors or memberships have gone or may do something else: streams that were opened with them end, in
 * all processes. The database's triggers tell the same, and are not heard from a worker of Citus.
 */
export const announceCredentials = (tx: Pick<Tx, 'db'>): Promise<void> =>
  notify(tx.db, [{ channel: credentialsChannel, payload: '' }]);

/** The keys of the account's projects open something else now, or to others: no process goes by what it has kept. As above. */
export const announceProjectKeys = (tx: Pick<Tx, 'db'>, accountId: number): Promise<void> =>
  notify(tx.db, [{ channel: projectKeysChannel, payload: String(accountId) }]);

/** Both, of accounts that are here no more: they have gone by no verb, and no trigger has fired. */
export const departureNotifications = (accountIds: readonly number[]): Notification[] => [
  { channel: credentialsChannel, payload: '' },
  ...accountIds.map((id) => ({ channel: projectKeysChannel, payload: String(id) })),
];
