import type { WebhookEndpoint } from '#contracts/webhook-endpoints.ts';
import type { StatusColor } from '#web/shared/ui/status-badge.tsx';

type EndpointState = { word: string; color: StatusColor };

/** The text of an endpoint's badge; a reason that keeps its events back goes before failures of delivery. */
export function endpointState(
  endpoint: Pick<WebhookEndpoint, 'disabled_at' | 'paused_at' | 'failing_since'>,
): EndpointState {
  if (endpoint.disabled_at !== null) return { word: 'Switched off', color: 'red' };
  if (endpoint.paused_at !== null) return { word: 'Paused', color: 'gray' };
  if (endpoint.failing_since !== null) return { word: 'Failing', color: 'yellow' };
  return { word: 'Active', color: 'green' };
}

/** The server counts up to a thousand. */
export const waitingText = (waiting: number) => (waiting >= 1_000 ? '1,000+' : String(waiting));
