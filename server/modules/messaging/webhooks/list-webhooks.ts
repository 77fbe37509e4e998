import { sql } from 'kysely';
import type { z } from 'zod';
import type { WebhookAttempt, WebhookRecord, listWebhooks as contract } from '#contracts/webhooks.ts';
import type { AccountContext } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import { getProject } from '#server/modules/identity/projects/index.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { queueIdOf } from './endpoints/queries.ts';
import { presentWebhook, presentWithHistory } from './present.ts';

type ListWebhooks = z.output<typeof contract.query> & { projectId: number };

export async function listWebhooks(ctx: AccountContext, input: ListWebhooks) {
  // A list that is empty says something else than a project that is not the caller's.
  await getProject(ctx, input.projectId);
  const { projectId, page, pageSize, status, type, endpoint_id: endpointId } = input;
  const queueId = endpointId === undefined ? undefined : await queueIdOf(ctx, { projectId, endpointId });
  const records = ctx.db
    .selectFrom('webhook_records')
    .where('account_id', '=', ctx.account.id)
    .where('project_id', '=', projectId)
    .where('status', '!=', 'unsent')
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'pending'))
    .$if(type !== undefined, (query) => query.where('type', '=', type ?? 'test'))
    .$if(queueId !== undefined, (query) => query.where(sql`coalesce(endpoint_id, -project_id)`, '=', queueId ?? 0));
  const { total } = await records.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await records
    .selectAll()
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const data: WebhookRecord[] = rows.map((row) => presentWebhook(ctx, row));
  return { data, total, page, pageSize };
}

export async function getWebhook(
  ctx: AccountContext,
  input: { webhookId: number },
): Promise<WebhookRecord & { history: WebhookAttempt[] }> {
  const row = await ctx.db
    .selectFrom('webhook_records')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', input.webhookId)
    .where(inScope(ctx))
    .where('status', '!=', 'unsent')
    .executeTakeFirst();
  if (!row) throw new NotFoundError('Webhook record');
  return presentWithHistory(ctx, row);
}
