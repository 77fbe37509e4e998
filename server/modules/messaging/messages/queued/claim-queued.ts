import { sql } from 'kysely';
import { hasAccessAt } from '#server/account-access.ts';
import type { Context, Tx, WithdrawnMessage } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import {
  loadContacts,
  lockSender,
  maySend,
  momentOf,
  recipientOf,
  recordSend,
} from '#server/modules/numbers/health/index.ts';
import type { HealthPhone } from '#server/modules/numbers/health/index.ts';
import type { Lease } from '#server/modules/numbers/links/index.ts';
import { isLeaseHeld } from '#server/modules/numbers/phones/index.ts';
import { isUnsent } from '#server/unsent.ts';
import { toClaimed } from '../outbox.ts';
import type { ClaimedMessage } from '../outbox.ts';
import type { MessageRow } from '../present.ts';
import { isRecipientOut } from './is-recipient-out.ts';
import { findLeavers } from './withdraw-leavers.ts';
import { withdrawMessages } from './withdraw-messages.ts';

/** `nextAt`: when to ask again, where something waits that may not be sent now. */
export type QueuedClaim = { message: ClaimedMessage | undefined; nextAt: Date | undefined };

type Waiting = Pick<MessageRow, 'account_id' | 'id' | 'campaign_id' | 'profile_id' | 'attempts' | 'network_id'> & {
  recipient: string;
};

/** Of those that wait for one phone, which are few. */
const looksAt = 20;

/** Of the phones that keep a pace, those for which messages of ledgers wait. */
export async function findPhonesWithQueued(ctx: Context, phoneIds: readonly number[]): Promise<number[]> {
  if (phoneIds.length === 0) return [];
  const { rows } = await sql<{ phone_id: number }>`
    /* prepared: find-phones-with-queued */
    select h.phone_id from phone_health h
     where h.phone_id = any(${phoneIds}::bigint[]) and h.is_protected
       and exists (select from messages m where m.phone_id = h.phone_id and m.status = 'pending' and m.is_queued
                      and ${isUnsent('m')})
  `.execute(ctx.db);
  return rows.map(({ phone_id: phoneId }) => phoneId);
}

/**
 * Claims the next message of ledgers for a phone that keeps a pace, if it may go now: whatever was decided when it was
 * handed over, and however many processes claim, none leaves outside the phone's allowance, gap or hours. The send is
 * counted in the transaction that claims it.
 */
export async function claimQueued(
  ctx: Context,
  { lease, networkId, random = Math.random }: { lease: Lease; networkId: string; random?: () => number },
): Promise<QueuedClaim> {
  const { left, ...claimed } = await claimNext(ctx, { lease, networkId, random });
  if (!left) return claimed;
  await inTransaction(ctx, (tx) => withdrawMessages(tx, { ...left, messageIds: [left.id] }));
  return { message: undefined, nextAt: ctx.clock.now() };
}

type Next = { lease: Lease; networkId: string; random: () => number };

/** `left`: the next one's recipient belongs to the campaign no longer, and it is to be taken back. */
function claimNext(
  ctx: Context,
  { lease, networkId, random }: Next,
): Promise<QueuedClaim & { left?: WithdrawnMessage | undefined }> {
  return inTransaction(ctx, async (tx) => {
    const phone = await findLeased(tx, lease);
    const sender = phone && (await lockSender(tx, phone));
    if (!phone || !sender) return { message: undefined, nextAt: undefined };
    const waiting = await lockWaiting(tx, lease);
    const contacts = await loadContacts(
      tx,
      [lease.phoneId],
      waiting.map(({ recipient }) => recipient),
    );
    const moment = momentOf(tx.clock.now(), phone.timeZone);
    const ends: number[] = [];
    for (const message of waiting) {
      const recipient = recipientOf(contacts, lease.phoneId, message.recipient);
      const verdict = maySend(sender, recipient, moment);
      if (verdict.kind === 'later') ends.push(verdict.at.getTime());
      if (verdict.kind !== 'now') continue;
      const [left] = message.network_id === null ? await findLeavers(tx, [message]) : [];
      if (left) return { message: undefined, nextAt: undefined, left };
      await recordSend(tx, phone, sender, { messageId: message.id, to: message.recipient, recipient, random });
      return { message: await claim(tx, lease, { ...message, networkId }), nextAt: undefined };
    }
    return { message: undefined, nextAt: ends.length > 0 ? new Date(Math.min(...ends)) : undefined };
  });
}

/** Undefined: another worker holds it, or its account's subscription has lapsed. */
async function findLeased(tx: Tx, { accountId, phoneId, token }: Lease): Promise<HealthPhone | undefined> {
  const { rows } = await sql<{ project_id: number; timezone: string }>`
    /* prepared: find-leased-for-queued */
    select p.project_id, a.timezone
      from phone_leases l
      join phones p on p.account_id = l.account_id and p.id = l.phone_id
      join accounts a on a.id = l.account_id and ${hasAccessAt(tx.clock.now(), 'a')}
     where l.phone_id = ${phoneId} and l.token = ${token} and ${isLeaseHeld()}
  `.execute(tx.db);
  const [row] = rows;
  return row && { accountId, phoneId, projectId: row.project_id, timeZone: row.timezone };
}

async function lockWaiting(tx: Tx, { accountId, phoneId }: Lease): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    /* prepared: lock-queued */
    select m.account_id, m.id, m.recipient, m.network_id, m.campaign_id, m.profile_id, m.attempts from messages m
     where m.account_id = ${accountId} and m.phone_id = ${phoneId} and m.status = 'pending' and m.is_queued
       and ${isUnsent('m')} and m.recipient is not null
       and not ${isRecipientOut} and (m.retry_at is null or m.retry_at <= ${tx.clock.now()})
     order by m.id
     limit ${looksAt}
       for update skip locked
  `.execute(tx.db);
  return rows;
}

async function claim(tx: Tx, lease: Lease, message: Waiting & { networkId: string }): Promise<ClaimedMessage> {
  const { rows } = await sql<MessageRow>`
    /* prepared: claim-queued */
    update messages m set status = 'sending', lease_token = ${lease.token}, network_id = coalesce(m.network_id, ${message.networkId})
     where m.account_id = ${lease.accountId} and m.id = ${message.id}
    returning m.*
  `.execute(tx.db);
  const [row] = rows;
  if (!row) throw new Error(`Message ${message.id} was locked, and is gone`);
  return toClaimed(row);
}
