import { List, Pause, Play, Send } from 'lucide-react';
import type { WebhookEndpoint } from '#contracts/webhook-endpoints.ts';
import type { Column } from '#web/shared/table/column.ts';
import { DeleteAction, EditAction, RowAction, RowActions } from '#web/shared/table/row-action.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { Badge } from '#web/shared/ui/status-badge.tsx';
import { endpointState, waitingText } from './endpoint-state.ts';

const shortUrl = ({ url }: WebhookEndpoint) => url.replace(/^https?:\/\//, '');

/** Why its events do not arrive; where there is no room for it, the state says it alone, and the dialog the rest. */
function EndpointTrouble({ endpoint }: { endpoint: WebhookEndpoint }) {
  if (endpoint.disabled_at !== null) {
    return (
      <span className="text-13 font-normal whitespace-normal text-red-ink">
        {endpoint.disabled_reason} Save it again to switch it on.
      </span>
    );
  }
  if (endpoint.paused_at !== null || endpoint.failing_since === null) return null;
  return (
    <span className="text-13 font-normal whitespace-normal text-muted">
      Fails since <DateTime at={endpoint.failing_since} />
    </span>
  );
}

export type EndpointAction = (endpoint: WebhookEndpoint) => void;
type EndpointActions = Record<'onEdit' | 'onDelete' | 'onPause' | 'onTest', EndpointAction> & {
  onDeliveries: EndpointAction | undefined;
};

export function endpointColumns(
  room: { events: boolean; trouble: boolean },
  { onEdit, onDelete, onPause, onTest, onDeliveries }: EndpointActions,
): readonly Column<WebhookEndpoint>[] {
  const columns: readonly Column<WebhookEndpoint>[] = [
    {
      id: 'endpoint',
      header: 'Endpoint',
      fluid: true,
      onCard: 'title',
      cell: (endpoint) => (
        <span className="grid min-w-0">
          <span className="block min-w-0 truncate" title={endpoint.url}>
            <bdi className="font-medium">{endpoint.description ?? shortUrl(endpoint)}</bdi>
            {endpoint.description !== null && <span className="ml-2 text-13 text-muted">{shortUrl(endpoint)}</span>}
          </span>
          {room.trouble && <EndpointTrouble endpoint={endpoint} />}
        </span>
      ),
    },
    {
      id: 'events',
      header: 'Events',
      cell: ({ events }) => (
        <span className="block max-w-72 truncate text-13 text-muted" title={events.join(', ')}>
          {events.includes('*')
            ? ['All events', ...events.filter((each) => each !== '*')].join(', ')
            : events.join(', ')}
        </span>
      ),
    },
    {
      id: 'state',
      header: 'State',
      onCard: 'badge',
      cell: (endpoint) => {
        const { word, color } = endpointState(endpoint);
        return <Badge color={color}>{word}</Badge>;
      },
    },
    { id: 'waiting', header: 'Waiting', align: 'right', cell: ({ waiting }) => waitingText(waiting) },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      onCard: 'actions',
      cell: (endpoint) => (
        <RowActions>
          {onDeliveries && (
            <RowAction
              label="Deliveries"
              subject={endpoint.url}
              icon={<List aria-hidden="true" className="size-4" />}
              onClick={() => onDeliveries(endpoint)}
            />
          )}
          <RowAction
            needs="webhooks:write"
            label="Test"
            subject={endpoint.url}
            icon={<Send aria-hidden="true" className="size-4" />}
            onClick={() => onTest(endpoint)}
          />
          <RowAction
            needs="webhooks:write"
            label={endpoint.paused_at === null ? 'Pause' : 'Resume'}
            subject={endpoint.url}
            icon={
              endpoint.paused_at === null ? (
                <Pause aria-hidden="true" className="size-4" />
              ) : (
                <Play aria-hidden="true" className="size-4" />
              )
            }
            onClick={() => onPause(endpoint)}
          />
          <EditAction needs="webhooks:write" subject={endpoint.url} onClick={() => onEdit(endpoint)} />
          <DeleteAction needs="webhooks:write" subject={endpoint.url} onClick={() => onDelete(endpoint)} />
        </RowActions>
      ),
    },
  ];
  return room.events ? columns : columns.filter(({ id }) => id !== 'events');
}
