import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { PhoneProfile } from '#contracts/phone-profile.ts';
import { errorText } from '#web/shared/api-error.ts';
import { useCan } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { Warning } from '../health/warning.tsx';
import { Photo } from '#web/shared/ui/photo.tsx';
import { ProfileDialog } from './profile-dialog.tsx';
import { profileQuery } from './profile-query.ts';

/** How people see a number, and what is missing of it. */
export function ProfileCard({ phone }: { phone: PhoneNumber }) {
  const can = useCan();
  const [isEditing, setEditing] = useState(false);
  const {
    data: profile,
    error,
    refetch,
    isFetching,
  } = useQuery({
    ...profileQuery(phone.id),
    enabled: phone.is_connected,
  });
  const mayEdit = phone.is_connected && profile !== undefined && can('phones:write');
  return (
    <Card
      title="Profile"
      flush
      actions={
        mayEdit && (
          <Button size="small" onClick={() => setEditing(true)}>
            Edit profile
          </Button>
        )
      }
    >
      <div className="grid gap-3 px-4 py-4 sm:px-5">
        {!phone.is_connected && (
          <p className="text-13 text-pretty text-muted">Connect the number to see its profile.</p>
        )}
        {phone.is_connected && profile === undefined && error === null && <Skeleton className="h-14" />}
        {phone.is_connected && profile === undefined && error !== null && (
          <div role="alert" className="grid justify-items-start gap-2 text-13">
            <p className="text-pretty text-muted">{errorText(error, 'The profile could not be read.')}</p>
            <Button size="small" busy={isFetching && 'Trying...'} onClick={() => void refetch()}>
              Try again
            </Button>
          </div>
        )}
        {phone.is_connected && profile !== undefined && <Shown profile={profile} />}
      </div>
      {isEditing && profile !== undefined && (
        <ProfileDialog phone={phone} profile={profile} onClose={() => setEditing(false)} />
      )}
    </Card>
  );
}

function Shown({ profile: { name, about, photo } }: { profile: PhoneProfile }) {
  const missing = Object.entries({ name, photo, about }).flatMap(([part, value]) => (value === null ? part : []));
  return (
    <>
      <div className="flex min-w-0 items-center gap-3">
        <Photo photo={photo} />
        <div className="min-w-0">
          <p className="truncate font-medium">
            {name === null ? <span className="text-muted">No name</span> : <bdi>{name}</bdi>}
          </p>
          <p className="text-13 text-muted wrap-anywhere">{about === null ? 'No about' : <bdi>{about}</bdi>}</p>
        </div>
      </div>
      {missing.length > 0 && (
        <Warning
          text={`It has no ${missing.join(' and no ')}. People report numbers that do not say who writes; complete it before you write to strangers.`}
        />
      )}
    </>
  );
}
