import type { Context } from '#server/context.ts';
import { messageTraceOf } from '#server/message-trace.ts';
import { traced } from '#server/platform/tracing/traces.ts';
import type { AttemptOutcome } from '../sending/send-webhook.ts';
import type { ClaimedWebhook } from './claim-due-webhooks.ts';

/** A span for an attempt; that of an event of a message lies in the message's trace. */
export function traceDelivery(
  ctx: Context,
  record: ClaimedWebhook,
  work: () => Promise<AttemptOutcome>,
): Promise<AttemptOutcome> {
  if (!ctx.traces.isOn) return work();
  const { message_id: messageId, url } = record;
  return traced(
    ctx.traces,
    {
      name: 'deliver webhook',
      kind: 'client',
      traceId: messageId === null ? undefined : messageTraceOf(ctx, messageId),
      attributes: {
        'dovepost.message_id': messageId,
        'dovepost.account_id': record.account_id,
        'dovepost.project_id': record.project_id,
        'dovepost.webhook_id': record.event_id,
        'dovepost.attempt': record.attempts + 1,
        'http.request.method': 'POST',
        // Paths and queries of customers may hold secrets.
        'server.address': URL.canParse(url) ? new URL(url).host : undefined,
      },
    },
    work,
    (outcome) => ({
      attributes: {
        'dovepost.outcome': outcome.kind,
        'http.response.status_code': 'statusCode' in outcome ? outcome.statusCode : undefined,
      },
      error: 'error' in outcome ? outcome.error : undefined,
    }),
  );
}
