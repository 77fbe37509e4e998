import { sql } from 'kysely';
import type { z } from 'zod';
import type { replayWebhooks as contract } from '#contracts/webhook-endpoints.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { getProject } from '#server/modules/identity/projects/index.ts';
import { announceDueWebhooks } from '../announce-webhooks.ts';
import { queueIdOf } from '../endpoints/queries.ts';

type ReplayWebhooks = z.output<typeof contract.body> & { projectId: number };
type Replayed = { replayed: number; next_since: string | null };

const mostRecords = 10_000;

/**
 * Makes records of a time due again, under their ids and at the URLs of today: for each endpoint that takes deliveries,
 * oldest first. An event that no endpoint wanted then goes to the project's first one. Records that wait anyway are
 * left alone.
 */
export async function replayWebhooks(ctx: AccountContext, input: ReplayWebhooks): Promise<Replayed> {
  const { projectId, since, until, status, types, endpoint_id: endpointId } = input;
  await getProject(ctx, projectId);
  const queueId = endpointId === undefined ? undefined : await queueIdOf(ctx, { projectId, endpointId });
  const now = ctx.clock.now();
  const statuses = status ? [status] : ['success', 'failed', 'unsent'];
  return inTransaction(ctx, async (tx) => {
    const { rows } = await sql<{ queue_id: number; created_at: Date; place: number }>`
      with chosen as (
        select r.account_id, r.id, e.queue_id, e.url, e.paused_at, r.created_at
          from webhook_records r
          join webhook_endpoints e on e.account_id = r.account_id
            and e.queue_id = coalesce(r.endpoint_id, -r.project_id) and e.url is not null and e.disabled_at is null
         where r.account_id = ${tx.account.id} and r.project_id = ${projectId}
           and r.id >= record_id_at(${since}::timestamptz - interval '1 hour')
           and r.created_at >= ${since}::timestamptz
           and ${until === undefined ? sql`true` : sql`r.created_at < ${until}::timestamptz`}
           and r.status = any(${statuses}::text[])
           and ${types === undefined ? sql`true` : sql`r.type = any(${types}::text[])`}
           and ${queueId === undefined ? sql`true` : sql`e.queue_id = ${queueId}`}
         order by r.id
         limit ${mostRecords + 1}
           for update of r skip locked
      ), placed as (select *, row_number() over (order by id)::int as place from chosen),
      replayed as (
        update webhook_records r
           set status = 'pending', error = null, url = p.url, is_manual = true, scheduled_attempt_at = null,
               next_attempt_at = case when p.paused_at is null then ${now}::timestamptz end
          from placed p
         where r.account_id = p.account_id and r.id = p.id and p.place <= ${mostRecords}
      )
      select queue_id, created_at, place from placed
    `.execute(tx.db);
    const done = rows.filter(({ place }) => place <= mostRecords);
    const next = rows.find(({ place }) => place > mostRecords);
    const queueIds = [...new Set(done.map(({ queue_id }) => queue_id))];
    await announceDueWebhooks(tx, { accountId: tx.account.id, projectId, queueIds });
    return { replayed: done.length, next_since: next?.created_at.toISOString() ?? null };
  });
}
