import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '#web/shared/api-error.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { useSession } from '#web/shared/session.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { Counts } from './counts.tsx';
import { greeting } from './greeting.ts';
import { LatestMessages } from './latest-messages.tsx';
import { QuickActions } from './quick-actions.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { SendMessageCard } from './send-message-card.tsx';

export function DashboardPage() {
  const [hour] = useState(() => new Date().getHours());
  const { user, currentProjectId } = useSession();
  const { data: projects, error, refetch } = useQuery(projectsQuery());
  const current = projects?.find(({ id }) => id === currentProjectId);

  const header = (
    <PageHeader
      title={greeting(user?.name, hour)}
      description="What your projects are doing, and a message on its way in a minute"
    />
  );
  if (projects === undefined && error !== null) {
    return (
      <>
        {header}
        <Card flush>
          <ErrorPanel
            title="Failed to load dashboard data"
            detail={errorText(error, 'Try again in a moment.')}
            onRetry={() => void refetch()}
          />
        </Card>
      </>
    );
  }
  return (
    <>
      {header}
      <Counts projects={projects} current={current} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:gap-6 xl:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid min-w-0 gap-4 sm:gap-6">
          <SendMessageCard projects={projects} />
          {(projects === undefined || current !== undefined) && <LatestMessages project={current} />}
        </div>
        <div className="grid min-w-0 gap-4 sm:gap-6 md:max-xl:grid-cols-2">
          <RecentActivity projects={projects} />
          <QuickActions projects={projects} />
        </div>
      </div>
    </>
  );
}
