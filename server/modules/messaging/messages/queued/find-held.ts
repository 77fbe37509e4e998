import { sql } from 'kysely';
import type { Context, ProjectScope } from '#server/context.ts';
import { isUnsent } from '#server/unsent.ts';
import type { MessageOrigin } from '../accept-message.ts';

/** A phone that may send a message claims it sooner than this. */
const claimedWithinMs = 30_000;

/** How many of those who wait are asked for: it is for people to read. */
const asked = 200;

/** Some of the numbers for which something of a campaign, a flow or a bulk run waits at connected phones. */
export async function findPendingNumbers(
  ctx: Context & ProjectScope,
  { campaignId, flowId, bulkRunId }: MessageOrigin,
): Promise<string[]> {
  const { rows } = await sql<{ recipient: string }>`
    select m.recipient
      from phones p
     cross join lateral (
       select recipient from messages
        where account_id = p.account_id and phone_id = p.id and status = 'pending' and is_queued and ${isUnsent()}
          and (campaign_id = ${campaignId ?? null}::bigint or flow_id = ${flowId ?? null}::bigint
               or bulk_run_id = ${bulkRunId ?? null}::bigint)
        limit ${asked}
     ) as m
     where p.account_id = ${ctx.account.id} and p.project_id = ${ctx.projectId} and p.status = 'connected'
       and m.recipient is not null
     limit ${asked}
  `.execute(ctx.db);
  return rows.map(({ recipient }) => recipient);
}

/**
 * Finds messages that a campaign, a flow or a bulk run has handed to phones that keep a pace or are limited, and that
 * were not claimed, as the network refused them or the phones were away until it was night: their place is the ledger.
 * Messages that a phone has tried to send stay with that phone.
 */
export async function findHeldOfOrigin(
  ctx: Context & ProjectScope,
  { campaignId, flowId, bulkRunId }: MessageOrigin,
): Promise<number[]> {
  const before = new Date(ctx.clock.now().getTime() - claimedWithinMs);
  // Fenced: most projects have no such phone, and then no message is read.
  const { rows } = await sql<{ id: number }>`
    select m.id
      from (select p.account_id, p.id, h.is_protected, h.first_stopped_until
              from phones p join phone_health h on h.phone_id = p.id
             where p.account_id = ${ctx.account.id} and p.project_id = ${ctx.projectId} and p.status = 'connected'
               and (h.is_protected or h.first_stopped_until > ${ctx.clock.now()}
                    or exists (select from phone_contacts c where c.phone_id = p.id and c.refused_at is not null))
            offset 0) as held
     cross join lateral (
       select id from messages
        where account_id = held.account_id and phone_id = held.id and status = 'pending' and is_queued and ${isUnsent()}
          and network_id is null and created_at < ${before}
          and (held.is_protected or held.first_stopped_until > ${ctx.clock.now()}
               or exists (select from phone_contacts c where c.phone_id = held.id and c.refused_at is not null
                                                         and c.phone_key = phone_key(recipient)))
          and (campaign_id = ${campaignId ?? null}::bigint or flow_id = ${flowId ?? null}::bigint
               or bulk_run_id = ${bulkRunId ?? null}::bigint)
       offset 0
     ) as m
  `.execute(ctx.db);
  return rows.map(({ id }) => id);
}
