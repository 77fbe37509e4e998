import { sql } from 'kysely';
import type { Context, ProjectScope } from '#server/context.ts';
import type { MessageOrigin } from '../accept-message.ts';

/** A phone that may send a message claims it sooner than this. */
const claimedWithinMs = 30_000;

/**
 * What a campaign, a flow or a bulk run has handed to phones that keep a pace and did not claim it, as their network refused it, or
 * they were away until it was night: its place is the ledger. What a phone has tried to send stays with that phone.
 */
export async function findHeldOfOrigin(
  ctx: Context & ProjectScope,
  { campaignId, flowId, bulkRunId }: MessageOrigin,
): Promise<number[]> {
  const before = new Date(ctx.clock.now().getTime() - claimedWithinMs);
  // Fenced: most projects have no phone that keeps a pace, and then no message is read.
  const { rows } = await sql<{ id: number }>`
    select m.id
      from (select p.account_id, p.id from phones p join phone_health h on h.phone_id = p.id and h.is_protected
             where p.account_id = ${ctx.account.id} and p.project_id = ${ctx.projectId} and p.status = 'connected'
            offset 0) as paced
     cross join lateral (
       select id from messages
        where account_id = paced.account_id and phone_id = paced.id and status = 'pending' and is_queued
          and network_id is null and created_at < ${before}
          and (campaign_id = ${campaignId ?? null}::bigint or flow_id = ${flowId ?? null}::bigint
               or bulk_run_id = ${bulkRunId ?? null}::bigint)
       offset 0
     ) as m
  `.execute(ctx.db);
  return rows.map(({ id }) => id);
}
