import type { ConnectorName } from '#contracts/connectors.ts';
import type { Context } from '#server/context.ts';
import { messageTraceOf } from '#server/message-trace.ts';
import type { MessageRow } from './present.ts';

export type Reached = { step: 'sent' | 'delivered' | 'read' | 'failed'; after: MessageRow };

/** A span for each way between two states of a message: how long it waited for its phone, for the network, for its reader. */
export function traceOutcome(
  ctx: Context,
  { step, after }: Reached,
  { connector, code }: { connector: ConnectorName | 'unknown'; code: string },
): void {
  if (!ctx.traces.isOn) return;
  const now = ctx.clock.now();
  const { created_at: createdAt, due_at: dueAt, sent_at: sentAt, delivered_at: deliveredAt, read_at: readAt } = after;
  const acceptedAt = dueAt && dueAt > createdAt ? dueAt : createdAt;
  const [from, until] = {
    sent: [acceptedAt, sentAt],
    delivered: [sentAt, deliveredAt],
    read: [deliveredAt ?? sentAt, readAt],
    failed: [sentAt ?? acceptedAt, now],
  }[step];
  const endedAt = (until ?? now).getTime();
  ctx.traces.record({
    name: `message ${step}`,
    kind: 'internal',
    startedAt: (from ?? createdAt).getTime(),
    endedAt,
    traceId: messageTraceOf(ctx, after.id),
    error: step === 'failed' ? (after.error ?? code) : undefined,
    attributes: {
      'dovepost.message_id': after.id,
      'dovepost.account_id': after.account_id,
      'dovepost.project_id': after.project_id,
      'dovepost.phone_id': after.phone_id,
      'dovepost.connector': connector,
      'dovepost.campaign_id': after.campaign_id,
      'dovepost.flow_id': after.flow_id,
      'dovepost.bulk_run_id': after.bulk_run_id,
      'dovepost.attempts': after.attempts,
      'error.type': step === 'failed' ? code : undefined,
    },
  });
}
