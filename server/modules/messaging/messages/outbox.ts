import { sql } from 'kysely';
import { hasAccessAt } from '#server/account-access.ts';
import type { MessagePreview, SendingManner } from '#contracts/message-content.ts';
import type { OutgoingMessage, SentMessage, UnreadMessage } from '#server/connectors/messaging/port.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import type { Lease } from '#server/modules/numbers/links/index.ts';
import { isUnsent } from '#server/unsent.ts';
import { outgoingContentOf } from './content/columns.ts';
import type { MessageRow } from './present.ts';
import { isRecipientOut } from './queued/is-recipient-out.ts';
import { withdrawLeavers } from './queued/withdraw-leavers.ts';
import { isHeld, isLeaseHeld, isWindowOpen, windowedConnectors } from '#server/modules/numbers/phones/index.ts';
import { withdrawOptedOut } from './queued/withdraw-opted-out.ts';
import { withdrawShut } from './queued/withdraw-shut.ts';

/** The number of messages that a phone can take now, as a network id for each. */
export type Claim = {
  lease: Lease;
  networkIds: readonly string[];
};

export type ClaimedMessage = OutgoingMessage & { accountId: number; phoneId: number; id: number };

/**
 * Claims waiting messages for several phones in one statement and commits their network ids before anything is sent. A
 * phone whose lease is no longer held, or whose account's subscription has lapsed, gets nothing. A message that was
 * claimed before keeps its network id. A message whose recipient has opted out, or whose window has shut, is withdrawn
 * in place of being claimed. Oldest first.
 */
export async function claimMessages(ctx: Context, claims: readonly Claim[]): Promise<ClaimedMessage[]> {
  if (claims.length === 0) return [];
  const now = ctx.clock.now();
  const { rows } = await sql<MessageRow>`
    /* prepared: claim-messages */
    with claim as (
      select c.phone_id, c.token, c.network_ids, a.id as account_id, coalesce(h.is_protected, false) as is_paced,
             coalesce(h.first_stopped_until > ${now}, false) as known_only,
             exists (select from phone_contacts k where k.phone_id = c.phone_id and k.refused_at is not null) as has_refused,
             p.connector = any(${windowedConnectors}::text[]) as is_windowed,
             ${isHeld(sql`c.phone_id`, 'begin', now)} as begins_nothing
        from jsonb_to_recordset(${JSON.stringify(claims.map(toClaimRow))}::jsonb)
               as c (phone_id bigint, token bigint, network_ids jsonb)
        join phone_leases l on l.phone_id = c.phone_id and l.token = c.token and ${isLeaseHeld()}
        join accounts a on a.id = l.account_id and ${hasAccessAt(now, 'a')}
        join phones p on p.account_id = l.account_id and p.id = c.phone_id
        left join phone_health h on h.phone_id = c.phone_id
       where (h.all_stopped_until is null or h.all_stopped_until <= ${now})
         and not ${isHeld(sql`c.phone_id`, 'all', now)}
    ), waiting as (
      select claim.account_id, claim.token, w.id, w.is_refused,
             claim.network_ids ->> (row_number() over (partition by claim.phone_id order by w.id) - 1)::int as network_id
        from claim cross join lateral (
          select m.id, ${isRecipientOut}
                       or (claim.is_windowed and m.type is distinct from 'template'
                           and not ${isWindowOpen(sql`m.phone_id`, sql`m.recipient`, now)}) as is_refused
            from messages m
           where m.account_id = claim.account_id and m.phone_id = claim.phone_id and m.status = 'pending'
             and ${isUnsent('m')}
             and (m.retry_at is null or m.retry_at <= ${now})
             -- What waits to be tried again keeps its place before later messages to the same recipient.
             and not exists (select from messages e
                              where e.phone_id = m.phone_id and e.recipient = m.recipient and e.status = 'pending'
                                and ${isUnsent('e')}
                                and e.retry_at > ${now} and e.id < m.id)
             -- Meta pauses a template after a message was accepted, too: it waits until that may be sent again.
             and not (m.type is not distinct from 'template'
                      and (exists (select from whatsapp_templates t
                                    where t.account_id = m.account_id and t.status in ('paused', 'pending')
                                      and t.business_account_id = m.media_source #>> '{details,template,business_account_id}'
                                      and t.name = m.media_source #>> '{details,template,name}'
                                      and t.language = m.media_source #>> '{details,template,language}')
                           or (claim.begins_nothing and not ${isWindowOpen(sql`m.phone_id`, sql`m.recipient`, now)})))
             -- What keeps a pace is claimed by itself, one at a time; who opted out is withdrawn here.
             and (not (claim.is_paced and m.is_queued is true) or ${isRecipientOut})
             -- Nobody waits for the answer: its ledger takes it back.
             and not (claim.has_refused and m.is_queued is true
                      and exists (select from phone_contacts k
                                   where k.phone_id = m.phone_id and k.phone_key = phone_key(m.recipient)
                                     and k.refused_at is not null))
             and (not claim.known_only or exists (select from phone_contacts k
                                                   where k.phone_id = m.phone_id and k.phone_key = phone_key(m.recipient)
                                                     and k.wrote_at is not null))
           order by m.id
           limit jsonb_array_length(claim.network_ids)
             for update skip locked
        ) w
    )
    update messages m
       set status = case when is_refused then m.status else 'sending' end,
           lease_token = case when is_refused then m.lease_token else waiting.token end,
           network_id = case when is_refused then m.network_id else coalesce(m.network_id, waiting.network_id) end
      from waiting
     where m.account_id = waiting.account_id and m.id = waiting.id
    returning m.*
  `.execute(ctx.db);
  const refused = rows.filter(({ status }) => status === 'pending');
  if (refused.length > 0) await withdrawRefused(ctx, refused);
  const taken = rows.filter(({ status }) => status === 'sending');
  const left = await withdrawLeavers(ctx, taken);
  return taken
    .filter(({ id }) => !left.has(id))
    .map(toClaimed)
    .toSorted((a, b) => a.id - b.id);
}

/**
 * Withdraws waiting messages whose recipient has opted out, or whose window has shut. The phones are fed again in its
 * place.
 */
async function withdrawRefused(ctx: Context, rows: readonly MessageRow[]): Promise<void> {
  for (const [accountId, ofAccount] of Map.groupBy(rows, (row) => row.account_id)) {
    const messageIds = ofAccount.map(({ id }) => id);
    await inTransaction(ctx, async (tx) => {
      await withdrawOptedOut(tx, { accountId, messageIds });
      await withdrawShut(tx, { accountId, messageIds });
    });
  }
}

/** A row that is claimed: its phone, recipient and network id are there, and it can be sent. */
export function toClaimed(row: MessageRow): ClaimedMessage {
  const { phone_id: phoneId, network_id: networkId, recipient: to } = row;
  const carried = outgoingContentOf(row);
  if (phoneId === null || networkId === null || to === null || !carried) {
    throw new Error(`Message ${row.id} is not claimed`);
  }
  // A page is not asked once a recipient: of what goes to many it would count each as a visit.
  const goesToMany = (row.campaign_id ?? row.flow_id ?? row.bulk_run_id) !== null;
  const manner: SendingManner = { ...carried.manner, ...(goesToMany && { preview: false }) };
  return { accountId: row.account_id, phoneId, id: row.id, networkId, to, ...carried, manner };
}

/** How many of a phone's oldest messages are looked at for such a claim: what is behind them comes to be among them. */
const lateClaimsAmong = 200;

/**
 * The phones with waiting messages, and those with messages that an earlier holder has claimed: its claim may have begun
 * while it held the phone, and ended after the phone was taken over.
 */
export async function findPhonesWithWaiting(
  ctx: Context,
  leases: readonly Lease[],
): Promise<{ waiting: number[]; claimedLate: number[] }> {
  if (leases.length === 0) return { waiting: [], claimedLate: [] };
  const { rows } = await sql<{ id: number; is_waiting: boolean; is_claimed_late: boolean }>`
    /* prepared: find-phones-with-waiting */
    select id, is_waiting, is_claimed_late
      from unnest(${leases.map(({ phoneId }) => phoneId)}::bigint[], ${leases.map(({ token }) => token)}::bigint[])
             as held (id, token)
     cross join lateral (
       select exists (select from messages m
                       where m.phone_id = held.id and m.status = 'pending' and ${isUnsent('m')}) as is_waiting,
              exists (select from (select m.status, m.lease_token from messages m
                                    where m.phone_id = held.id and ${isUnsent('m')}
                                    order by m.id limit ${lateClaimsAmong}) m
                       where m.status = 'sending' and m.lease_token < held.token) as is_claimed_late
     ) found
     where is_waiting or is_claimed_late
  `.execute(ctx.db);
  return {
    waiting: rows.flatMap(({ id, is_waiting }) => (is_waiting ? [id] : [])),
    claimedLate: rows.flatMap(({ id, is_claimed_late }) => (is_claimed_late ? [id] : [])),
  };
}

/**
 * Returns messages that this lease has claimed and nobody sends, since the answer to the claim was lost. `underWay` are
 * the network ids that somebody does send. Locks in the order of ids, as all who change many messages do.
 */
export async function returnUnsent(ctx: Context, lease: Lease, underWay: readonly string[]): Promise<void> {
  await sql`
    /* prepared: return-unsent */
    with unsent as (
      select account_id, id from messages
       where account_id = ${lease.accountId} and phone_id = ${lease.phoneId} and status = 'sending'
         and ${isUnsent()}
         and lease_token = ${lease.token} and network_id <> all(${underWay}::text[])
       order by id for no key update
    )
    update messages m set status = 'pending', lease_token = null
      from unsent u where m.account_id = u.account_id and m.id = u.id
  `.execute(ctx.db);
}

const toClaimRow = ({ lease, networkIds }: Claim) => ({
  phone_id: lease.phoneId,
  token: lease.token,
  network_ids: networkIds,
});

const unreadPageSize = 500;
const unreadForMs = 24 * 60 * 60 * 1000;

/**
 * Messages that a phone sent in the last day before `sentBefore` and that have no read receipt: a page after the id
 * `after`.
 */
export async function findUnread(
  ctx: Context,
  { accountId, phoneId }: Lease,
  { after, sentBefore }: { after: number; sentBefore: Date },
): Promise<UnreadMessage[]> {
  const since = new Date(sentBefore.getTime() - unreadForMs);
  const { rows } = await sql<UnreadMessage>`
    select id, network_id as "networkId", recipient as "to"
    from messages
    where account_id = ${accountId}
      and project_id = (select project_id from phones where account_id = ${accountId} and id = ${phoneId})
      and phone_id = ${phoneId} and id > greatest(${after}::bigint, record_id_at(${since}::timestamptz))
      and status in ('sent', 'delivered') and direction = 'outgoing' and network_id is not null
      and recipient is not null and sent_at < ${sentBefore}::timestamptz
    order by id
    limit ${unreadPageSize}
  `.execute(ctx.db);
  return rows;
}

/** A message that a phone sent, for a recipient whose device asks for it again. */
export async function findSent(ctx: Context, lease: Lease, networkId: string): Promise<SentMessage | undefined> {
  const row = await ctx.db
    .selectFrom('messages')
    .select(['recipient', 'type', 'body', 'media', 'media_source', 'location', 'contacts', 'quote'])
    .where('account_id', '=', lease.accountId)
    .where('phone_id', '=', lease.phoneId)
    .where('network_id', '=', networkId)
    .where('direction', '=', 'outgoing')
    .executeTakeFirst();
  const carried = row && outgoingContentOf(row);
  return row?.recipient && carried ? { to: row.recipient, ...carried } : undefined;
}

/** Keeps with a message on its way how its link is shown, unless that is known. */
export async function notePreview(ctx: Context, lease: Lease, networkId: string, shown: MessagePreview): Promise<void> {
  await ctx.db
    .updateTable('messages')
    .set({
      media_source: sql`coalesce(media_source, '{}') || jsonb_build_object('details',
        coalesce(media_source -> 'details', '{}') || jsonb_build_object('preview', ${JSON.stringify(shown)}::jsonb))`,
    })
    .where('account_id', '=', lease.accountId)
    .where('phone_id', '=', lease.phoneId)
    .where('network_id', '=', networkId)
    .where('direction', '=', 'outgoing')
    .where(sql<boolean>`media_source #> '{details,preview}' is null`)
    .execute();
}
