import { sql } from 'kysely';
import type { QueryExecutorProvider } from 'kysely';
import { sharedName, sharedNameSql } from './shared-names.ts';

/** A notification between processes; it arrives once the sender's transaction has committed. */
export type Notification = { channel: string; payload: string };

/** Of whichever tables: a notification commits together with its cause. */
type OpenTransaction = QueryExecutorProvider & { readonly isTransaction: true };

/** Sends notifications; all of a transaction go in one statement, with its commit. */
export async function notify(db: OpenTransaction, notifications: readonly Notification[]): Promise<void> {
  if (notifications.length === 0) return;
  await sql`
    /* prepared: notify, last */
    select pg_notify(${sharedNameSql(sql`channel`)}, payload)
      from unnest(${notifications.map(({ channel }) => channel)}::text[],
                  ${notifications.map(({ payload }) => payload)}::text[]) as x (channel, payload)
  `.execute(db);
}

/** The same with one, also where no transaction is open: it arrives at once then. */
export async function notifyAtOnce(db: QueryExecutorProvider, { channel, payload }: Notification): Promise<void> {
  await sql`select pg_notify(${sharedNameSql(sql`${channel}`)}, ${payload})`.execute(db);
}

type Client = { query(text: string, values: unknown[]): Promise<unknown> };

/** The same to the processes of a schema, by any connection to its database. */
export async function notifySchema(
  client: Client,
  schema: string,
  notifications: readonly Notification[],
): Promise<void> {
  for (const { channel, payload } of notifications) {
    await client.query('select pg_notify($1, $2)', [sharedName(schema, channel), payload]);
  }
}

/** PostgreSQL refuses a payload of 8000 bytes or more; an id has at most 16 digits and a comma. */
export const idsPerNotification = 400;

/** As many notifications as the ids need, each with a JSON list of some. */
export function notificationsOfIds(channel: string, ids: readonly number[]): Notification[] {
  const parts = Math.ceil(ids.length / idsPerNotification);
  return Array.from({ length: parts }, (_, part) => ({
    channel,
    payload: JSON.stringify(ids.slice(part * idsPerNotification, (part + 1) * idsPerNotification)),
  }));
}

/** The ids in a payload that `notificationsOfIds` made. */
export function parseIds(payload: string): number[] {
  const ids: unknown = JSON.parse(payload);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : [];
}
