import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { alertTitles, type AlertKind, type AlertSettings, type AlertSettingsChange } from '#contracts/alerts.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { SwitchInput } from '#web/shared/form/switch.tsx';
import { queryKeys } from '#web/shared/queries.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

const kinds: readonly { kind: AlertKind; hint: string }[] = [
  { kind: 'phone_lost', hint: 'After ten minutes, or at once when it was banned.' },
  { kind: 'phone_limited', hint: 'WhatsApp lets it write to fewer people for a time.' },
  { kind: 'daily_limit_reached', hint: 'A phone sends no more until tomorrow.' },
  { kind: 'first_contacts_low', hint: 'Direct messages used 80 % of a day’s new people.' },
  { kind: 'first_contacts_used', hint: 'A phone wrote to as many new people as a day allows.' },
  { kind: 'campaign_waiting', hint: 'For over an hour, for want of a phone, say.' },
  { kind: 'campaign_failed', hint: 'Nothing of it could be sent.' },
  { kind: 'webhook_failing', hint: 'Every attempt at a URL has failed for an hour.' },
  { kind: 'import_done', hint: 'Unless you have looked at its report.' },
];

const channels = ['mail', 'dashboard'] as const;
const words = { mail: 'Mail', dashboard: 'Dashboard' } as const;

const settingsKey = [...queryKeys.alerts, 'settings'];

/** Which occasions are told, and where: a switch saves at once. */
export function AlertsCard() {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: settingsKey,
    queryFn: ({ signal }) => callApi('GET /api/alert-settings', {}, { signal }),
  });
  const save = useMutation({
    mutationFn: (body: AlertSettingsChange) => callApi('PUT /api/alert-settings', { body }),
    onSuccess: (saved) => queryClient.setQueryData(settingsKey, saved),
    onError: (failure) => notify.error(errorText(failure, 'Failed to save alerts')),
  });
  return (
    <Card
      flush
      id="alerts"
      title="Alerts"
      description="Each is told once, and once more when it is over: by mail, and on the dashboard under 'Needs attention'."
    >
      {data === undefined && error !== null ? (
        <ErrorPanel title="Failed to load alerts" onRetry={() => void refetch()} />
      ) : (
        <ul className="divide-y">
          {kinds.map(({ kind, hint }) => (
            <li key={kind} className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3 sm:px-5">
              <div className="min-w-0 flex-1 basis-56">
                <p className="font-medium">{alertTitles[kind]}</p>
                <p className="text-13 text-pretty text-muted">{hint}</p>
              </div>
              <Switches
                title={alertTitles[kind]}
                settings={data?.[kind]}
                isBusy={save.isPending}
                onChange={(change) => save.mutate({ [kind]: change })}
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

type SwitchesProps = {
  title: string;
  settings: AlertSettings[AlertKind] | undefined;
  isBusy: boolean;
  onChange: (change: Partial<AlertSettings[AlertKind]>) => void;
};

function Switches({ title, settings, isBusy, onChange }: SwitchesProps) {
  return (
    <fieldset className="flex items-center gap-4">
      <legend className="sr-only">{title}</legend>
      {channels.map((channel) =>
        settings === undefined ? (
          <Skeleton key={channel} className="h-5 w-24" />
        ) : (
          <SwitchInput
            key={channel}
            label={words[channel]}
            checked={settings[channel]}
            busy={isBusy}
            onChange={({ target }) => onChange({ [channel]: target.checked })}
          />
        ),
      )}
    </fieldset>
  );
}
