import type { WebhookRecord } from '#contracts/webhooks.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { announceDueWebhooks } from './announce-webhooks.ts';
import { queueIdOf } from './endpoints/queries.ts';
import { createEventId, payloadText } from './event-record.ts';
import { presentWebhook } from './present.ts';
import { requireLiveEndpoint } from './require-live-endpoint.ts';

/** Puts an event of type `test` on its way, so that a customer can try a receiver out. */
export async function sendTestEvent(
  ctx: AccountContext,
  input: { projectId: number; endpointId?: number },
): Promise<WebhookRecord> {
  const owner = { accountId: ctx.account.id, projectId: input.projectId };
  const now = ctx.clock.now();
  return inTransaction(ctx, async (tx) => {
    const queue =
      input.endpointId === undefined
        ? undefined
        : await queueIdOf(tx, { projectId: input.projectId, endpointId: input.endpointId });
    const { url, queue_id: queueId } = await requireLiveEndpoint(tx, { projectId: input.projectId, queueId: queue });
    const data = { project_id: input.projectId, message: 'This is a test event' };
    const row = await tx.db
      .insertInto('webhook_records')
      .values({
        account_id: owner.accountId,
        project_id: owner.projectId,
        event_id: createEventId(),
        url,
        type: 'test',
        payload: payloadText({ type: 'test', at: now, data }),
        status: 'pending',
        endpoint_id: queueId > 0 ? queueId : null,
        next_attempt_at: now,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await announceDueWebhooks(tx, { ...owner, queueIds: [queueId] });
    return presentWebhook(tx, row);
  });
}
