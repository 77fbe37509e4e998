import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { LiveEvent } from '#contracts/live.ts';
import type { Tx } from '#server/context.ts';
import { idsPerNotification, notify } from '#server/platform/db/notify.ts';
import type { Notification } from '#server/platform/db/notify.ts';
import { sharedNameSql } from '#server/platform/db/shared-names.ts';
import { liveChannel } from './channels.ts';

function* fittingParts(event: LiveEvent): Generator<LiveEvent> {
  if (event.type !== 'messages.changed') return yield event;
  for (let start = 0; start < event.message_ids.length; start += idsPerNotification) {
    yield { ...event, message_ids: event.message_ids.slice(start, start + idsPerNotification) };
  }
}

/** For the open pages of an account, and whoever waits in any process. */
export function liveNotifications(accountId: number, event: LiveEvent): Notification[] {
  return Array.from(fittingParts(event), (part) => ({
    channel: liveChannel,
    payload: JSON.stringify({ account_id: accountId, event: part }),
  }));
}

type AccountEvent = { accountId: number; event: LiveEvent };

/** Notifies the account's open pages once the transaction has committed. */
export function publishLive(tx: Pick<Tx, 'db'>, accountId: number, event: LiveEvent): Promise<void> {
  return notify(tx.db, liveNotifications(accountId, event));
}

/** Many at once, of any accounts. */
export function publishAllLive(tx: Pick<Tx, 'db'>, events: readonly AccountEvent[]): Promise<void> {
  return notify(
    tx.db,
    events.flatMap(({ accountId, event }) => liveNotifications(accountId, event)),
  );
}

/** A live event whose ids are columns of a statement. */
type EventOfRow<E = LiveEvent> = E extends { type: infer Type }
  ? { type: Type } & Record<Exclude<keyof E, 'type'>, RawBuilder<unknown>>
  : never;

/** The expression by which a statement itself has an account's open pages told of each row it reads. */
export function notifyLive(accountId: RawBuilder<unknown>, { type, ...columns }: EventOfRow): RawBuilder<unknown> {
  const members = Object.entries(columns).map(([name, column]) => sql`${sql.lit(name)}, ${column}`);
  const event = sql`json_build_object('type', ${sql.lit(type)}, ${sql.join(members)})`;
  const payload = sql`json_build_object('account_id', ${accountId}, 'event', ${event})::text`;
  return sql`pg_notify(${sharedNameSql(sql.lit(liveChannel))}, ${payload})`;
}
