import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Tx } from '#server/context.ts';
import { outboxNotifications } from '#server/modules/numbers/phones/index.ts';
import { lockPhones } from '#server/modules/audience/suppressions/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { isUnsent } from '#server/unsent.ts';
import type { MessageRow } from '../present.ts';
import { isOutOfAll, isOutOfItsTopic, isRecipientOut } from './is-recipient-out.ts';
import { failUnsent, withdrawnCode } from './withdraw-messages.ts';

/** As ledgers keep it and users read it. */
export const optedOutText = 'Opted out of messages';

/** The same of a topic. */
export const topicOptedOutText = 'Opted out of the topic, or has not opted in';

/** As the refusal of a send says it. */
export const refusedOptOutText = 'This number has opted out of your messages';

/**
 * Withdraws messages that wait for these numbers, in all outboxes of the account and for their time. The account's
 * phones are locked.
 */
export async function withdrawOfNumbers(
  tx: Tx,
  { accountId, phoneKeys }: { accountId: number; phoneKeys: readonly string[] },
): Promise<void> {
  const messageIds = await findUnsettled(tx, accountId, sql`phone_key(recipient) = any(${phoneKeys}::text[])`);
  if (messageIds.length > 0) await withdrawOptedOut(tx, { accountId, messageIds });
}

type Unsettled = { accountId: number; messageIds: readonly number[] };

/** Withdraws those of the messages that wait though their recipient has opted out. */
export async function withdrawOptedOut(tx: Tx, { accountId, messageIds }: Unsettled): Promise<void> {
  const waiting = await lockWaiting(tx, { accountId, messageIds }, isRecipientOut);
  const ofTopic = new Set(await findOutOfTopic(tx, { accountId, messageIds: waiting.map(({ id }) => id) }));
  const [topicLeft, allLeft] = [true, false].map((is) => waiting.filter(({ id }) => ofTopic.has(id) === is));
  await failUnsent(tx, { accountId, rows: allLeft ?? [], reason: optedOutText, code: 'opted_out' });
  await failUnsent(tx, { accountId, rows: topicLeft ?? [], reason: topicOptedOutText, code: 'topic_opted_out' });
  // Messages behind them can go.
  const phoneIds = waiting.flatMap(({ phone_id: phoneId }) => phoneId ?? []);
  await notify(tx.db, outboxNotifications([...new Set(phoneIds)]));
}

/** Which of these messages wait for somebody who left their topic alone. */
async function findOutOfTopic(tx: Tx, { accountId, messageIds }: Unsettled): Promise<number[]> {
  if (messageIds.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    select m.id from messages m
     where m.account_id = ${accountId} and m.id = any(${messageIds}::bigint[]) and ${isOutOfItsTopic}
       and not ${isOutOfAll}
  `.execute(tx.db);
  return rows.map(({ id }) => id);
}

/** Withdraws messages that wait for profiles that are being deleted and that no phone has tried to send. */
export async function withdrawOfProfiles(
  tx: Tx,
  { accountId, profileIds }: { accountId: number; profileIds: readonly number[] },
): Promise<void> {
  const messageIds = await findUnsettled(tx, accountId, sql`profile_id = any(${profileIds}::bigint[])`);
  if (messageIds.length === 0) return;
  const rows = await lockWaiting(tx, { accountId, messageIds }, sql`m.network_id is null`);
  await failUnsent(tx, { accountId, rows, reason: 'The profile was deleted', code: withdrawnCode });
}

/**
 * Messages that are being sent are locked too, though not answered: they return to the outbox only after this
 * transaction, and then the next claim finds the number on the list.
 */
async function lockWaiting(
  tx: Tx,
  { accountId, messageIds }: Unsettled,
  condition: RawBuilder<boolean>,
): Promise<MessageRow[]> {
  await lockPhones(tx, accountId);
  const { rows } = await sql<MessageRow>`
    select m.* from messages m
     where m.account_id = ${accountId} and m.id = any(${messageIds}::bigint[])
       and m.status in ('pending', 'sending', 'scheduled', 'deferred') and ${condition}
     order by m.id
       for update
  `.execute(tx.db);
  return rows.filter(({ status }) => status !== 'sending');
}

/** By the index of what is not sent: one moment, so that none is in between. */
async function findUnsettled(tx: Tx, accountId: number, condition: RawBuilder<boolean>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select m.id
      from phones p
     cross join lateral (
       select id from messages
        where phone_id = p.id and status in ('pending', 'sending') and ${isUnsent()}
          and account_id = ${accountId} and ${condition}
     ) m
     where p.account_id = ${accountId}
    union all
    select m.id
      from projects p
     cross join lateral (
       select id from messages
        where account_id = ${accountId} and project_id = p.id and status in ('scheduled', 'deferred')
          and phone_id is null and ${isUnsent()} and ${condition}
     ) m
     where p.account_id = ${accountId}
  `.execute(tx.db);
  return rows.map(({ id }) => id);
}
