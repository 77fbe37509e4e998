import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import type { WebhookRecord } from '#contracts/webhooks.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText, hasCode } from '#web/shared/api-error.ts';
import { CodeExample } from '#web/shared/code/code-example.tsx';
import { queryKeys } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { Fact } from './message-detail.tsx';
import { endpointOffText, webhookOffText } from '../webhook-off-text.ts';
import { WebhookAttempts } from './webhook-attempts.tsx';

type WebhookDetailProps = { record: WebhookRecord; projectId: number; isOff: boolean };

/** `isOff`: the endpoint that it went to was switched off. */
export function WebhookDetail({ record, projectId, isOff: wasOff }: WebhookDetailProps) {
  const queryClient = useQueryClient();
  const retry = useMutation({
    mutationFn: () => callApi('POST /api/webhooks/{webhookId}/retry', { params: { webhookId: record.id } }),
    onSuccess: () => {
      notify.success('Webhook is on its way again');
      return queryClient.invalidateQueries({ queryKey: queryKeys.webhooks(projectId) });
    },
    onError: (error) => {
      if (!hasCode(error, 'webhook_disabled')) return notify.error(errorText(error, 'Failed to retry webhook'));
      return queryClient.invalidateQueries({ queryKey: queryKeys.projects });
    },
  });
  const isOff = wasOff || hasCode(retry.error, 'webhook_disabled');
  return (
    <div className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-4 md:grid-cols-[minmax(0,1fr)_18rem]">
      <CodeExample label="Payload" samples={[{ language: 'json', code: JSON.stringify(record.payload, null, 2) }]} />
      <div className="grid content-start gap-4">
        <dl className="grid gap-1.5 text-13">
          <Fact name="URL">{record.url}</Fact>
          <Fact name="Event id">{record.event_id}</Fact>
          {record.sequence !== null && <Fact name="Sequence">{record.sequence}</Fact>}
          <Fact name="Attempts">{record.attempts}</Fact>
          {record.last_status_code !== null && <Fact name="Last answer">{record.last_status_code}</Fact>}
          {record.next_attempt_at !== null && (
            <Fact name="Next attempt">
              <DateTime at={record.next_attempt_at} />
            </Fact>
          )}
        </dl>
        <WebhookAttempts record={record} projectId={projectId} />
        <div className="flex items-center gap-3">
          <Button
            needs="webhooks:write"
            size="small"
            icon={<RefreshCw aria-hidden="true" className="size-4" />}
            disabled={wasOff}
            busy={retry.isPending && 'Retrying...'}
            onClick={() => retry.mutate()}
          >
            Retry
          </Button>
          <p role="status" className="min-w-0 flex-1 text-13 text-muted">
            {isOff && (record.endpoint_id === null ? webhookOffText : endpointOffText)}
          </p>
        </div>
      </div>
    </div>
  );
}
