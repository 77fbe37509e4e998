import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, RotateCcw, Webhook } from 'lucide-react';
import { useState } from 'react';
import type { WebhookEndpoint } from '#contracts/webhook-endpoints.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { endpointsQuery, queryKeys } from '#web/shared/queries.ts';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { useMediaQuery } from '#web/shared/use-media-query.ts';
import { endpointColumns } from './endpoint-columns.tsx';
import type { EndpointAction } from './endpoint-columns.tsx';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { ReplayDialog } from './replay-dialog.tsx';

const plus = <Plus aria-hidden="true" className="size-4" />;

type EndpointsCardProps = {
  projectId: number;
  onDeliveries: EndpointAction;
  /** The endpoint whose form is open. */
  edited: 'new' | number | undefined;
  onEdited: (edited: 'new' | number | undefined) => void;
};

export function EndpointsCard({ projectId, onDeliveries, edited, onEdited }: EndpointsCardProps) {
  const [deleted, setDeleted] = useState<WebhookEndpoint>();
  const [isReplaying, setReplaying] = useState(false);
  const query = useQuery(endpointsQuery(projectId));
  const editedEndpoint = query.data?.data.find(({ id }) => id === edited);
  const actions = useEndpointActions(projectId);
  const hasRoom = useMediaQuery('(min-width: 1280px), (max-width: 720px)');
  // A card has no room for a fifth action; the deliveries below are narrowed there.
  const isTable = useMediaQuery('(min-width: 721px)');
  const add = (
    <Button needs="webhooks:write" size="small" icon={plus} onClick={() => onEdited('new')}>
      Add endpoint
    </Button>
  );
  return (
    <Card
      flush
      title="Webhook endpoints"
      description="Each gets the events you choose, signed with its own secret."
      actions={
        <>
          <Button
            size="small"
            icon={<RotateCcw aria-hidden="true" className="size-4" />}
            onClick={() => setReplaying(true)}
          >
            Replay since…
          </Button>
          {add}
        </>
      }
    >
      <DataTable
        label="Webhook endpoints"
        columns={endpointColumns(
          { events: hasRoom, trouble: hasRoom && isTable },
          {
            onDeliveries: isTable ? onDeliveries : undefined,
            onEdit: ({ id }) => onEdited(id),
            onDelete: setDeleted,
            onPause: (endpoint) => actions.pause.mutate(endpoint),
            onTest: (endpoint) => actions.test.mutate(endpoint),
          },
        )}
        rowKey={({ id }) => id}
        query={query}
        failureText="Failed to load webhook endpoints"
        skeletonRows={2}
        empty={
          <EmptyState
            icon={<Webhook aria-hidden="true" />}
            title="No webhook endpoints yet."
            hint="Get every message and status change, and news of your phone numbers."
            action={add}
          />
        }
      />
      {(edited === 'new' || editedEndpoint !== undefined) && (
        <EndpointDialog projectId={projectId} endpoint={editedEndpoint} onClose={() => onEdited(undefined)} />
      )}
      {isReplaying && <ReplayDialog projectId={projectId} onClose={() => setReplaying(false)} />}
      <ConfirmDialog
        isOpen={deleted !== undefined}
        onClose={() => setDeleted(undefined)}
        title="Delete this endpoint?"
        confirmLabel="Delete"
        busyLabel="Deleting..."
        onConfirm={async () => {
          if (deleted) await actions.remove.mutateAsync(deleted);
        }}
      >
        <span className="wrap-anywhere">{deleted?.url}</span> gets no further events, and what waits for it fails.
      </ConfirmDialog>
    </Card>
  );
}

function useEndpointActions(projectId: number) {
  const queryClient = useQueryClient();
  const paramsOf = ({ id: endpointId }: WebhookEndpoint) => ({ projectId, endpointId });
  const refresh = () => queryClient.invalidateQueries({ queryKey: queryKeys.webhookEndpoints(projectId) });
  return {
    pause: useMutation({
      mutationFn: (endpoint: WebhookEndpoint) =>
        callApi('PUT /api/projects/{projectId}/webhook-endpoints/{endpointId}', {
          params: paramsOf(endpoint),
          body: { is_paused: endpoint.paused_at === null },
        }),
      onSuccess: ({ paused_at }) => {
        notify.success(paused_at === null ? 'Endpoint resumed' : 'Endpoint paused');
        return refresh();
      },
      onError: (error) => notify.error(errorText(error, 'Failed to change the endpoint')),
    }),
    test: useMutation({
      mutationFn: (endpoint: WebhookEndpoint) =>
        callApi('POST /api/projects/{projectId}/webhook-endpoints/{endpointId}/test', { params: paramsOf(endpoint) }),
      onSuccess: () => notify.success('A test event is on its way'),
      onError: (error) => notify.error(errorText(error, 'Failed to send a test event')),
    }),
    remove: useMutation({
      mutationFn: (endpoint: WebhookEndpoint) =>
        callApi('DELETE /api/projects/{projectId}/webhook-endpoints/{endpointId}', { params: paramsOf(endpoint) }),
      onSuccess: () => {
        notify.success('Endpoint deleted');
        return queryClient.invalidateQueries({ queryKey: queryKeys.projects });
      },
      onError: (error) => notify.error(errorText(error, 'Failed to delete the endpoint')),
    }),
  };
}
