import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Profile } from '#contracts/profiles.ts';
import type { SuppressionEvent } from '#contracts/suppressions.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { SwitchInput } from '#web/shared/form/switch.tsx';
import { queryKeys } from '#web/shared/queries.ts';
import { useNeededForContact } from '#web/shared/needed-for-contact.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { suppressionQuery } from '../profile-queries.ts';
import { refreshProfiles } from '#web/shared/refresh-profiles.ts';
import { eventWords } from './event-words.ts';
import { OptInDialog } from './opt-in-dialog.tsx';

/** Whether this person is left alone, and how that came about. */
export function OptOutCard({ profile }: { profile: Profile }) {
  const queryClient = useQueryClient();
  const { data } = useQuery(suppressionQuery(profile.phone));
  const [isAsking, setAsking] = useState(false);
  const needed = useNeededForContact();
  const optOut = useMutation({
    mutationFn: () =>
      callApi('PUT /api/profiles/{profileId}', { params: { profileId: profile.id }, body: { opted_out: true } }),
    onSuccess: (updated) => {
      queryClient.setQueryData(queryKeys.profile(profile.id), updated);
      notify.success('Opted out: they get no more messages', {
        action: { label: 'Undo', onSelect: () => optIn.mutate() },
      });
      return refreshProfiles(queryClient);
    },
    onError: (error) => notify.error(errorText(error, 'Failed to update profile')),
  });
  // The opt-out was true for a moment, and its webhook with it: the undo is an opt-in of its own, which has one, too.
  const optIn = useMutation({
    mutationFn: () =>
      callApi('PUT /api/profiles/{profileId}', {
        params: { profileId: profile.id },
        body: { opted_out: false, opt_in_reason: 'Undone: opted out by mistake' },
      }),
    onSuccess: (updated) => {
      queryClient.setQueryData(queryKeys.profile(profile.id), updated);
      notify.success('Undone');
      return refreshProfiles(queryClient);
    },
    onError: (error) => notify.error(errorText(error, 'Failed to undo')),
  });
  const isOut = profile.opted_out || optOut.isPending;
  return (
    <Card title="Opt-out">
      <SwitchInput
        label="Opted out"
        hint="Campaigns, flows and direct sends leave this number alone, also when the profile is deleted and made again."
        checked={isOut}
        busy={optOut.isPending}
        needs={needed}
        onChange={() => (isOut ? setAsking(true) : optOut.mutate())}
      />
      {data !== undefined && data.log.length > 0 && <OptOutLog log={data.log} />}
      {isAsking && <OptInDialog profile={profile} onClose={() => setAsking(false)} />}
    </Card>
  );
}

const mostLines = 5;

function OptOutLog({ log }: { log: readonly SuppressionEvent[] }) {
  return (
    <ul aria-label="Opt-out history" className="mt-4 grid gap-2 border-t pt-3 text-13">
      {log.slice(0, mostLines).map((event) => (
        <li key={`${event.at} ${event.action}`} className="flex flex-wrap justify-between gap-x-4">
          <span className="min-w-0 wrap-anywhere">
            {eventWords(event)}
            {event.note !== null && <span className="text-muted"> · {event.note}</span>}
          </span>
          <span className="text-muted">
            <DateTime at={event.at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
