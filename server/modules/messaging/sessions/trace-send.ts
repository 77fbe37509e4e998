import type { ConnectorName } from '#contracts/connectors.ts';
import type { SendOutcome } from '#server/connectors/messaging/port.ts';
import type { Context } from '#server/context.ts';
import { messageTraceOf } from '#server/message-trace.ts';
import type { ClaimedMessage } from '#server/modules/messaging/messages/index.ts';
import { traced } from '#server/platform/tracing/traces.ts';

type Send = { message: ClaimedMessage; connector: ConnectorName };

/** A span from handing a message to the network until that has answered, or has not. */
export function traceSend(
  ctx: Context,
  { message, connector }: Send,
  work: () => Promise<SendOutcome>,
): Promise<SendOutcome> {
  const { id, accountId, phoneId, networkId } = message;
  return traced(
    ctx.traces,
    {
      name: `send ${connector}`,
      kind: 'client',
      traceId: ctx.traces.isOn ? messageTraceOf(ctx, id) : undefined,
      attributes: {
        'dovepost.message_id': id,
        'dovepost.account_id': accountId,
        'dovepost.phone_id': phoneId,
        'dovepost.network_id': networkId,
        'dovepost.connector': connector,
      },
    },
    work,
    (outcome) => ({
      attributes: { 'dovepost.outcome': outcome.kind },
      error: outcome.kind === 'accepted' ? undefined : outcome.reason,
    }),
  );
}
