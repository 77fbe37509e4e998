import { sql } from 'kysely';
import type { WebhookEndpoint } from '#contracts/webhook-endpoints.ts';
import { isPermitted } from '#server/actor.ts';
import type { AccountContext } from '#server/context.ts';
import { openWebhookSecret } from '#server/modules/identity/projects/index.ts';
import type { LiveEndpoint } from '../require-live-endpoint.ts';

const countedUpTo = 1_000;

/** The secret is shown when it is made, and later to sessions of who may manage keys. */
export async function presentEndpoints(
  ctx: AccountContext,
  rows: readonly LiveEndpoint[],
  { isNewSecret = false } = {},
): Promise<WebhookEndpoint[]> {
  const waiting = await countWaiting(ctx, rows);
  const isShown = isNewSecret || (ctx.actor.kind === 'user' && isPermitted(ctx.actor, 'keys:write'));
  return rows.map((row) => ({
    id: row.id,
    url: row.url,
    events: row.events ?? ['*', ...(row.named_events ?? [])],
    description: row.description,
    secret: isShown
      ? openWebhookSecret(ctx.secrets, { account_id: row.account_id, webhook_secret_sealed: row.secret_sealed })
      : null,
    is_first: row.is_first,
    paused_at: row.paused_at?.toISOString() ?? null,
    failing_since: row.failing_since?.toISOString() ?? null,
    disabled_at: row.disabled_at?.toISOString() ?? null,
    disabled_reason: row.disabled_reason,
    waiting: waiting.get(row.queue_id) ?? 0,
    created_at: row.created_at.toISOString(),
  }));
}

async function countWaiting(ctx: AccountContext, rows: readonly LiveEndpoint[]): Promise<Map<number, number>> {
  const { rows: counts } = await sql<{ queue_id: number; count: number }>`
    select q.queue_id, waiting.count
      from unnest(${rows.map((row) => row.queue_id)}::bigint[]) as q (queue_id)
     cross join lateral (
       select count(*)::int as count
         from (select from webhook_records r
                where r.account_id = ${ctx.account.id} and coalesce(r.endpoint_id, -r.project_id) = q.queue_id
                  and r.status = 'pending'
                limit ${countedUpTo}) as few
     ) as waiting
  `.execute(ctx.db);
  return new Map(counts.map(({ queue_id, count }) => [queue_id, count]));
}
