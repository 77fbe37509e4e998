import { useQuery } from '@tanstack/react-query';
import type { WebhookRecord } from '#contracts/webhooks.ts';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { DateTime } from '#web/shared/ui/date-time.tsx';

type WebhookAttemptsProps = { record: WebhookRecord; projectId: number };

/** Each attempt with what it was answered; nothing before the first. */
export function WebhookAttempts({ record: { id, attempts }, projectId }: WebhookAttemptsProps) {
  const { data } = useQuery({
    queryKey: [...queryKeys.webhook(projectId, id), attempts],
    queryFn: ({ signal }) => callApi('GET /api/webhooks/{webhookId}', { params: { webhookId: id } }, { signal }),
    enabled: attempts > 0,
  });
  if (data === undefined || data.history.length === 0) return null;
  return (
    <ol aria-label="Attempts" className="grid gap-2 text-13">
      {data.history.map((attempt) => (
        <li key={attempt.at} className="min-w-0">
          <div className="flex flex-wrap items-baseline gap-x-2 tabular-nums">
            <b className="font-medium">{attempt.status_code ?? attempt.error}</b>
            <span className="text-muted">{attempt.duration_ms.toLocaleString('en')} ms</span>
            <span className="ml-auto text-muted">
              <DateTime at={attempt.at} />
            </span>
          </div>
          {attempt.answer !== null && (
            <code dir="ltr" className="line-clamp-3 text-12 wrap-anywhere text-muted">
              {attempt.answer}
            </code>
          )}
        </li>
      ))}
    </ol>
  );
}
