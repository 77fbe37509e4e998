import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Zap } from 'lucide-react';
import type { Project } from '#contracts/projects.ts';
import type { WebhookRecord } from '#contracts/webhooks.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText, hasCode } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Spinner } from '#web/shared/ui/spinner.tsx';
import { StatusDot } from '#web/shared/ui/status-badge.tsx';
import { webhookOffText } from './webhook-off-text.ts';

/** How often an attempt under way is asked for, should its live event be missed. */
const pollMs = 3000;

/** Sends an event to the webhook URL and says beside the button how it was received. */
export function TestEvent({ project }: { project: Project }) {
  const queryClient = useQueryClient();
  const send = useMutation({
    mutationFn: () => callApi('POST /api/projects/{projectId}/webhook/test', { params: { projectId: project.id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.webhooks(project.id) }),
    onError: (error) => {
      if (hasCode(error, 'webhook_disabled')) void queryClient.invalidateQueries({ queryKey: queryKeys.projects });
    },
  });
  const sent = useSentRecord(project.id, send.data);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button
        size="small"
        icon={<Zap aria-hidden="true" className="size-4" />}
        disabled={project.webhook_url === null || project.webhook_disabled_at !== null}
        busy={send.isPending && 'Sending...'}
        onClick={() => send.mutate()}
      >
        Send test event
      </Button>
      <p role="status" className="min-w-0 flex-1 basis-40 text-13 text-muted">
        {send.isError ? (
          <Outcome color="red" text={errorText(send.error, 'Failed to send test event')} />
        ) : (
          <Result project={project} record={sent} />
        )}
      </p>
    </div>
  );
}

/** The record as it is now. */
function useSentRecord(projectId: number, sent: WebhookRecord | undefined): WebhookRecord | undefined {
  const query = { page: 1, pageSize: 10 };
  const { data } = useQuery({
    queryKey: [...queryKeys.webhooks(projectId), 'test', sent?.id],
    queryFn: async ({ signal }) => {
      const call = { params: { projectId }, query };
      const records = (await callApi('GET /api/projects/{projectId}/webhooks', call, { signal })).data;
      return records.find(({ id }) => id === sent?.id) ?? sent ?? null;
    },
    enabled: sent !== undefined,
    placeholderData: () => undefined,
    refetchInterval: ({ state }) => (isUnderWay(state.data ?? undefined) ? pollMs : false),
  });
  return data ?? sent;
}

function isUnderWay(record: WebhookRecord | undefined): boolean {
  return record?.status === 'pending' && record.error === null;
}

function Result({ project, record }: { project: Project; record: WebhookRecord | undefined }) {
  if (project.webhook_url === null) return 'Set a webhook URL first.';
  if (project.webhook_disabled_at !== null) return webhookOffText;
  if (record === undefined) return 'It shows up in Webhooks Records below.';
  if (isUnderWay(record)) {
    return (
      <span className="inline-flex items-center gap-2">
        <Spinner />
        Waiting for an answer...
      </span>
    );
  }
  if (record.status === 'success') {
    const answer = record.last_status_code === null ? '' : ` It answered ${record.last_status_code}.`;
    return <Outcome color="green" text={`Received.${answer}`} />;
  }
  return <Outcome color="red" text={`Not received: ${record.error ?? 'no reason was given'}`} />;
}

function Outcome({ color, text }: { color: 'green' | 'red'; text: string }) {
  return (
    <span className="inline-flex items-baseline gap-2">
      <StatusDot color={color} />
      <span className="wrap-anywhere text-ink">{text}</span>
    </span>
  );
}
