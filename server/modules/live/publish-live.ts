import type { LiveEvent } from '#contracts/live.ts';
import type { Tx } from '#server/context.ts';
import { channels, idsPerNotification, notify } from '#server/platform/db/channels.ts';
import type { Notification } from '#server/platform/db/channels.ts';

function* fittingParts(event: LiveEvent): Generator<LiveEvent> {
  if (event.type !== 'messages.changed') return yield event;
  for (let start = 0; start < event.message_ids.length; start += idsPerNotification) {
    yield { ...event, message_ids: event.message_ids.slice(start, start + idsPerNotification) };
  }
}

/** What tells the open pages of an account, and whoever waits in any process. */
export function liveNotifications(accountId: number, event: LiveEvent): Notification[] {
  return Array.from(fittingParts(event), (part) => ({
    channel: channels.live,
    payload: JSON.stringify({ account_id: accountId, event: part }),
  }));
}

type Notice = { accountId: number; event: LiveEvent };

/** Tells it once the transaction has committed. */
export function publishLive(tx: Pick<Tx, 'db'>, accountId: number, event: LiveEvent): Promise<void> {
  return notify(tx.db, liveNotifications(accountId, event));
}

/** Many at once, of any accounts. */
export function publishAllLive(tx: Pick<Tx, 'db'>, notices: readonly Notice[]): Promise<void> {
  return notify(
    tx.db,
    notices.flatMap(({ accountId, event }) => liveNotifications(accountId, event)),
  );
}
