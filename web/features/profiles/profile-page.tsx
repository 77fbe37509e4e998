import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { UserX } from 'lucide-react';
import { useEffect } from 'react';
import { errorText, hasStatus } from '#web/shared/api-error.ts';
import { paths } from '#web/shared/paths.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { CustomFieldsCard } from './custom-fields-card.tsx';
import { ProfileFacts } from './profile-facts.tsx';
import { ProfileHeader } from './profile-header.tsx';
import { ProfileMessages } from './profile-messages.tsx';
import { ProfilePageSkeleton } from './profile-page-skeleton.tsx';
import { profileQuery } from './profile-queries.ts';
import { ProfileSegments } from './profile-segments.tsx';

const failureText = 'Failed to fetch profile';

export function ProfilePage() {
  const profileId = Number(useParams({ from: '/shell/profiles/$profileId' }).profileId);
  const isId = Number.isSafeInteger(profileId) && profileId > 0;
  const { data: profile, error, refetch } = useQuery({ ...profileQuery(profileId), enabled: isId });
  const isMissing = !isId || hasStatus(error, 404);
  const failure = profile === undefined && error !== null && !isMissing ? errorText(error, failureText) : undefined;

  useEffect(() => {
    if (failure !== undefined) notify.error(failure);
  }, [failure]);

  if (isMissing) return <ProfileNotFound />;
  if (failure !== undefined) {
    return (
      <Card flush>
        <ErrorPanel title={failureText} detail={failure} onRetry={() => void refetch()} />
      </Card>
    );
  }
  if (profile === undefined) return <ProfilePageSkeleton />;
  return (
    <>
      <ProfileHeader profile={profile} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:gap-6 xl:grid-cols-2">
        <div className="grid min-w-0 gap-4 sm:gap-6">
          <ProfileFacts profile={profile} />
          <CustomFieldsCard fields={profile.custom_fields} />
          <ProfileSegments profileId={profile.id} />
        </div>
        <ProfileMessages profileId={profile.id} />
      </div>
    </>
  );
}

function ProfileNotFound() {
  return (
    <Card flush>
      <EmptyState
        icon={<UserX aria-hidden="true" />}
        title="Profile not found."
        hint="It may have been deleted."
        action={
          <Link to={paths.profiles} className={buttonClass()}>
            All profiles
          </Link>
        }
      />
    </Card>
  );
}
