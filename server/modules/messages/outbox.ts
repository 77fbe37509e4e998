import { sql } from 'kysely';
import { hasAccessAt } from '#server/account-access.ts';
import type { OutgoingMessage, SentMessage } from '#server/connectors/messaging/port.ts';
import type { Context } from '#server/context.ts';
import type { Lease } from '#server/modules/phone-numbers/index.ts';

/** What one phone can take now, with a network id for each message it may get. */
export type Claim = { lease: Lease; networkIds: readonly string[] };

export type ClaimedMessage = OutgoingMessage & { accountId: number; phoneId: number; id: number };

/**
 * Claims waiting messages for several phones in one statement and commits their network ids before anything is sent.
 * A phone whose lease is no longer held, or whose account's subscription has lapsed, gets nothing. A message that was
 * claimed before keeps its network id. Oldest first.
 */
export async function claimMessages(ctx: Context, claims: readonly Claim[]): Promise<ClaimedMessage[]> {
  if (claims.length === 0) return [];
  const { rows } = await sql<{
    account_id: number;
    phone_id: number;
    id: number;
    network_id: string;
    recipient: string;
    body: string;
  }>`
    /* prepared: claim-messages */
    with claim as (
      select c.phone_id, c.token, c.network_ids, a.id as account_id
        from jsonb_to_recordset(${JSON.stringify(claims.map(toClaimRow))}::jsonb)
               as c (phone_id bigint, token bigint, network_ids jsonb)
        join phone_leases l on l.phone_id = c.phone_id and l.token = c.token and l.expires_at > clock_timestamp()
        join accounts a on a.id = l.account_id and ${hasAccessAt(ctx.clock.now(), 'a')}
    ), waiting as (
      select claim.account_id, claim.token, w.id,
             claim.network_ids ->> (row_number() over (partition by claim.phone_id order by w.id) - 1)::int as network_id
        from claim cross join lateral (
          select m.id from messages m
           where m.account_id = claim.account_id and m.phone_id = claim.phone_id and m.status = 'pending'
           order by m.id
           limit jsonb_array_length(claim.network_ids)
             for update skip locked
        ) w
    )
    update messages m
       set status = 'sending', lease_token = waiting.token, network_id = coalesce(m.network_id, waiting.network_id)
      from waiting
     where m.account_id = waiting.account_id and m.id = waiting.id
    returning m.account_id, m.phone_id, m.id, m.network_id, m.recipient, m.body
  `.execute(ctx.db);
  return rows
    .map((row) => ({
      accountId: row.account_id,
      phoneId: row.phone_id,
      id: row.id,
      networkId: row.network_id,
      to: row.recipient,
      content: { type: 'text' as const, text: row.body },
    }))
    .toSorted((a, b) => a.id - b.id);
}

const toClaimRow = ({ lease, networkIds }: Claim) => ({
  phone_id: lease.phoneId,
  token: lease.token,
  network_ids: networkIds,
});

/** A message that a phone sent, for a recipient whose device asks for it again. */
export async function findSent(ctx: Context, lease: Lease, networkId: string): Promise<SentMessage | undefined> {
  const row = await ctx.db
    .selectFrom('messages')
    .select(['recipient', 'body'])
    .where('account_id', '=', lease.accountId)
    .where('phone_id', '=', lease.phoneId)
    .where('network_id', '=', networkId)
    .where('direction', '=', 'outgoing')
    .executeTakeFirst();
  if (!row?.recipient) return undefined;
  return { to: row.recipient, content: { type: 'text', text: row.body } };
}
