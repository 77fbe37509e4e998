import { sql } from 'kysely';
import type { QueryExecutorProvider } from 'kysely';

/** What processes tell each other by NOTIFY; a listener hears it once the sender's transaction has committed. */
export const channels = {
  /** An open page's LiveEvent: `{ account_id, event }`. */
  live: 'dovepost_live',
  /** Phones of which something else is wanted now: a JSON list of ids. */
  phones: 'dovepost_phones',
  /** Phones with messages waiting: a JSON list of ids. */
  outbox: 'dovepost_outbox',
  /** Messages without a phone may get one: of a project `[account_id, project_id]`, of an account `[account_id]`. */
  deferred: 'dovepost_deferred',
  /** A project's webhook records have become due: `[account_id, project_id]`. */
  webhooks: 'dovepost_webhooks',
  /** An import of profiles is to be checked or run. */
  profileImports: 'dovepost_profile_imports',
  /** A campaign has something to do: `[account_id, campaign_id]`; all of an account: `[account_id]`. */
  campaigns: 'dovepost_campaigns',
  /** Something for the flows' workers: a FlowNotice. */
  flows: 'dovepost_flows',
  /** Sessions or API keys were revoked: whoever holds a connection open by one lets it go. */
  credentials: 'dovepost_credentials',
  /** Billing has something to do in the background: `events`, `payments` or `notices`. */
  billing: 'dovepost_billing',
} as const;

export type Notification = { channel: (typeof channels)[keyof typeof channels]; payload: string };

/** Of whichever tables: what is said commits together with its cause. */
type OpenTransaction = QueryExecutorProvider & { readonly isTransaction: true };

/** Sends notifications, in one statement; they are heard once the transaction has committed. */
export async function notify(db: OpenTransaction, notifications: readonly Notification[]): Promise<void> {
  if (notifications.length === 0) return;
  await sql`
    /* prepared: notify */
    select pg_notify(channel, payload)
      from unnest(${notifications.map(({ channel }) => channel)}::text[],
                  ${notifications.map(({ payload }) => payload)}::text[]) as x (channel, payload)
  `.execute(db);
}

/** PostgreSQL refuses a payload of 8000 bytes or more; an id has at most 16 digits and a comma. */
export const idsPerNotification = 400;

/** What tells the workers of these phones. */
export function workerNotifications(channel: 'phones' | 'outbox', phoneIds: readonly number[]): Notification[] {
  const parts = Math.ceil(phoneIds.length / idsPerNotification);
  return Array.from({ length: parts }, (_, part) => ({
    channel: channels[channel],
    payload: JSON.stringify(phoneIds.slice(part * idsPerNotification, (part + 1) * idsPerNotification)),
  }));
}

/** The ids in a payload that `workerNotifications` made. */
export function parsePhoneIds(payload: string): number[] {
  const ids: unknown = JSON.parse(payload);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : [];
}
