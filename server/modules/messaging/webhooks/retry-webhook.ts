import { sql } from 'kysely';
import type { WebhookRecord } from '#contracts/webhooks.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { announceDueWebhooks } from './announce-webhooks.ts';
import { presentWebhook } from './present.ts';
import { requireLiveEndpoint } from './require-live-endpoint.ts';

/**
 * Makes a record due now, to the URL the project has today. Attempts so far stay counted, and the automatic schedule
 * goes on from where it was should this attempt fail.
 */
export async function retryWebhook(ctx: AccountContext, input: { webhookId: number }): Promise<WebhookRecord> {
  return inTransaction(ctx, async (tx) => {
    const record = await tx.db
      .selectFrom('webhook_records')
      .select(['project_id', 'endpoint_id'])
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', input.webhookId)
      .where(inScope(tx))
      .forUpdate()
      .executeTakeFirst();
    if (!record) throw new NotFoundError('Webhook record');
    const { project_id: projectId, endpoint_id: endpointId } = record;
    const { url, queue_id: queueId } = await requireLiveEndpoint(tx, {
      projectId,
      queueId: endpointId ?? undefined,
    });
    const row = await tx.db
      .updateTable('webhook_records')
      .set({
        url,
        status: 'pending',
        error: null,
        next_attempt_at: ctx.clock.now(),
        is_manual: sql<boolean>`is_manual or status <> 'pending' or attempts > 0`,
        scheduled_attempt_at: sql<Date | null>`case
          when is_manual then scheduled_attempt_at
          when status = 'pending' and attempts > 0 then next_attempt_at end`,
      })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', input.webhookId)
      .returningAll()
      .executeTakeFirstOrThrow();
    await announceDueWebhooks(tx, { accountId: ctx.account.id, projectId, queueIds: [queueId] });
    return presentWebhook(tx, row);
  });
}
