import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileCheck, Megaphone, Smartphone, Webhook, X, type LucideIcon } from 'lucide-react';
import type { Alert, AlertKind } from '#contracts/alerts.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { paths } from '#web/shared/paths.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { Allowed } from '#web/shared/ui/allowed.tsx';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { AttentionRow } from './attention-row.tsx';

const icons: Record<AlertKind, LucideIcon> = {
  phone_lost: Smartphone,
  phone_limited: Smartphone,
  daily_limit_reached: Smartphone,
  first_contacts_low: Smartphone,
  first_contacts_used: Smartphone,
  campaign_waiting: Megaphone,
  campaign_failed: Megaphone,
  webhook_failing: Webhook,
  import_done: FileCheck,
};

const colors: Partial<Record<AlertKind, 'red' | 'green'>> = { campaign_failed: 'red', import_done: 'green' };

/** An alert from the server; it can be dismissed. */
export function AlertRow({ alert }: { alert: Alert }) {
  const queryClient = useQueryClient();
  const dismiss = useMutation({
    mutationFn: () => callApi('DELETE /api/alerts/{alertId}', { params: { alertId: alert.id } }),
    onError: (error) => notify.error(errorText(error, 'Failed to dismiss')),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.alerts }),
  });
  return (
    <AttentionRow
      icon={icons[alert.kind]}
      color={colors[alert.kind] ?? 'yellow'}
      title={alert.title}
      action={
        <div className="flex items-center gap-1">
          <AlertLink alert={alert} />
          <Allowed needs="account:write">
            <IconButton
              label={`Dismiss: ${alert.title}`}
              icon={<X aria-hidden="true" className="size-4" />}
              disabled={dismiss.isPending}
              onClick={() => dismiss.mutate()}
            />
          </Allowed>
        </div>
      }
    >
      {alert.text} <RelativeTime at={alert.began_at} />
    </AttentionRow>
  );
}

function AlertLink({ alert: { kind, project_id: projectId, subject_id: subjectId, title } }: { alert: Alert }) {
  const className = buttonClass('secondary', 'small');
  const about = <span className="sr-only"> {title}</span>;
  switch (kind) {
    case 'campaign_waiting':
    case 'campaign_failed':
      return (
        <Link to={paths.campaign} params={{ campaignId: String(subjectId) }} className={className}>
          See campaign{about}
        </Link>
      );
    case 'import_done':
      return (
        <Link to={paths.profileImport} search={{ id: subjectId }} className={className}>
          See report{about}
        </Link>
      );
    case 'webhook_failing':
      return (
        <Link to={paths.project} params={{ projectId: String(projectId) }} className={className}>
          See deliveries{about}
        </Link>
      );
    case 'phone_limited':
    case 'daily_limit_reached':
    case 'first_contacts_low':
    case 'first_contacts_used':
      return (
        <Link to={paths.phone} params={{ phoneId: String(subjectId) }} className={className}>
          See number{about}
        </Link>
      );
    case 'phone_lost':
      return (
        <Link to={paths.phoneNumbers} params={{ projectId: String(projectId) }} className={className}>
          Phone numbers{about}
        </Link>
      );
  }
}
