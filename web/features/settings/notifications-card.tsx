import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { NotificationKind, NotificationSettings, NotificationSettingsChange } from '#contracts/notifications.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { SwitchInput } from '#web/shared/form/switch.tsx';
import { canPush, isPushed, startPush, stopPush } from '#web/shared/push.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

const kinds: readonly { kind: NotificationKind; title: string; hint: string }[] = [
  { kind: 'assigned', title: 'A conversation is given to you', hint: 'By another member, or by a program.' },
  { kind: 'mentioned', title: 'A note mentions you', hint: 'By @ and your name.' },
  { kind: 'message_mine', title: 'Somebody writes to you', hint: 'In a conversation that is yours.' },
  { kind: 'message_unassigned', title: 'Somebody writes to nobody', hint: 'In a conversation that is nobody’s yet.' },
  { kind: 'snooze_ended', title: 'A snoozed conversation is back', hint: 'One of yours, or one that you snoozed.' },
  { kind: 'alert', title: 'The account has an alert', hint: 'For members who manage the account.' },
];

const channels = ['page', 'push', 'mail'] as const;
const words = { page: 'Bell', push: 'Push', mail: 'Mail' } as const;
const delays = [
  { value: '5', label: '5 minutes' },
  { value: '15', label: '15 minutes' },
  { value: '60', label: 'An hour' },
  { value: '1440', label: 'A day' },
];

/** The person's own: which occasions they are told of in this account, and how. A switch saves at once. */
export function NotificationsCard() {
  const queryClient = useQueryClient();
  const settingsKey = [...queryKeys.notifications, 'settings'];
  const { data, error, refetch } = useQuery({
    queryKey: settingsKey,
    queryFn: ({ signal }) => callApi('GET /api/notifications/settings', {}, { signal }),
  });
  const save = useMutation({
    mutationFn: (body: NotificationSettingsChange) => callApi('PUT /api/notifications/settings', { body }),
    onSuccess: (saved) => queryClient.setQueryData(settingsKey, saved),
    onError: (failure) => notify.error(errorText(failure, 'Failed to save notifications')),
  });
  return (
    <Card
      flush
      id="notifications"
      title="Your notifications"
      description="Yours alone, in this account: by the bell above, in browsers that you switch it on in, and by mail."
    >
      {data === undefined && error !== null ? (
        <ErrorPanel title="Failed to load notifications" onRetry={() => void refetch()} />
      ) : (
        <ul className="divide-y">
          {kinds.map(({ kind, title, hint }) => (
            <li key={kind} className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3 sm:px-5">
              <div className="min-w-0 flex-1 basis-56">
                <p className="font-medium">{title}</p>
                <p className="text-13 text-pretty text-muted">{hint}</p>
              </div>
              <fieldset className="flex items-center gap-4">
                <legend className="sr-only">{title}</legend>
                {channels.map((channel) =>
                  data === undefined ? (
                    <Skeleton key={channel} className="h-5 w-20" />
                  ) : (
                    <SwitchInput
                      key={channel}
                      label={words[channel]}
                      checked={data[kind][channel]}
                      busy={save.isPending}
                      onChange={({ target }) => save.mutate({ [kind]: { [channel]: target.checked } })}
                    />
                  ),
                )}
              </fieldset>
            </li>
          ))}
          {data !== undefined && <Ways settings={data} isBusy={save.isPending} onChange={save.mutate} />}
        </ul>
      )}
    </Card>
  );
}

type WaysProps = {
  settings: NotificationSettings;
  isBusy: boolean;
  onChange: (change: NotificationSettingsChange) => void;
};

function Ways({ settings, isBusy, onChange }: WaysProps) {
  return (
    <>
      <li className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3 sm:px-5">
        <div className="min-w-0 flex-1 basis-56">
          <p className="font-medium">A mail waits</p>
          <p className="text-13 text-pretty text-muted">It gathers what is still unread by then.</p>
        </div>
        <SelectInput
          aria-label="A mail waits"
          size="small"
          className="w-36"
          options={delays}
          value={String(settings.mail_after_minutes)}
          busy={isBusy}
          onChange={({ target }) => {
            const minutes = ([5, 15, 60, 1440] as const).find((each) => String(each) === target.value);
            onChange({ mail_after_minutes: minutes });
          }}
        />
      </li>
      <li className="px-4 py-3 sm:px-5">
        <SwitchInput
          label="Show texts of messages and notes in mails and pushes"
          checked={settings.shows_texts}
          busy={isBusy}
          onChange={({ target }) => onChange({ shows_texts: target.checked })}
        />
      </li>
      <ThisBrowser />
    </>
  );
}

function ThisBrowser() {
  const queryClient = useQueryClient();
  const queryKey = [...queryKeys.notifications, 'this-browser'];
  const { data: isOn } = useQuery({ queryKey, queryFn: isPushed });
  const change = useMutation({
    mutationFn: (wanted: boolean) => (wanted ? startPush() : stopPush()),
    onError: (failure) =>
      notify.error(failure instanceof Error ? failure.message : 'The browser could not be switched on'),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
  return (
    <li className="px-4 py-3 sm:px-5">
      {canPush() ? (
        <SwitchInput
          label="Push to this browser"
          checked={isOn ?? false}
          busy={change.isPending || isOn === undefined}
          onChange={({ target }) => change.mutate(target.checked)}
        />
      ) : (
        <p className="text-13 text-muted">This browser cannot be pushed to.</p>
      )}
    </li>
  );
}
