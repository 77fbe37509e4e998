import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { useEffect } from 'react';
import { errorText, hasStatus } from '#web/shared/api-error.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { NotFoundCard } from '#web/shared/ui/not-found-card.tsx';
import { PageSkeleton } from '#web/shared/ui/page-skeleton.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { CustomFieldsCard } from './custom-fields-card.tsx';
import { OptOutCard } from './opt-out/opt-out-card.tsx';
import { ProfileFacts } from './profile-facts.tsx';
import { ProfileHeader } from './profile-header.tsx';
import { ProfileMessages } from './profile-messages.tsx';
import { profileQuery } from './profile-queries.ts';
import { ProfileTimeline } from './timeline/profile-timeline.tsx';
import { TopicsCard } from './topics-card.tsx';
import { ProfileSegments } from './profile-segments.tsx';

const columns = 'grid-cols-[minmax(0,1fr)] xl:grid-cols-2';

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

  if (isMissing) return <NotFoundCard kind="profile" />;
  if (failure !== undefined) {
    return (
      <Card flush>
        <ErrorPanel title={failureText} detail={failure} onRetry={() => void refetch()} />
      </Card>
    );
  }
  if (profile === undefined)
    return <PageSkeleton what="profile" cards={['h-93', 'h-36', 'h-47']} aside={['h-175']} columns={columns} />;
  return (
    <>
      <ProfileHeader profile={profile} />
      <div className={clsx('grid items-start gap-4 sm:gap-6', columns)}>
        <div className="grid min-w-0 gap-4 sm:gap-6">
          <ProfileFacts profile={profile} />
          <OptOutCard profile={profile} />
          <TopicsCard phone={profile.phone} />
          <CustomFieldsCard fields={profile.custom_fields} />
          <ProfileSegments profileId={profile.id} />
        </div>
        <div className="grid min-w-0 gap-4 sm:gap-6">
          <ProfileMessages profile={profile} />
          <ProfileTimeline profileId={profile.id} />
        </div>
      </div>
    </>
  );
}
