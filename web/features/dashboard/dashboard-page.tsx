import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { clsx } from 'clsx';
import { useState } from 'react';
import { errorText } from '#web/shared/api-error.ts';
import { paths } from '#web/shared/paths.ts';
import { phoneNumbersQuery, projectsQuery } from '#web/shared/queries.ts';
import { useCan, useSession } from '#web/shared/session.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { AttentionCard } from './attention/attention-card.tsx';
import { useAttention } from './attention/use-attention.ts';
import { MessagesCard } from './chart/messages-card.tsx';
import { Counts } from './counts/counts.tsx';
import { dailyCountsQuery } from './daily-counts-query.ts';
import { Checklist } from './first-run/checklist.tsx';
import { useFirstRun } from './first-run/use-first-run.ts';
import { FromYourCode } from './send/from-your-code.tsx';
import { greeting, welcome } from './greeting.ts';
import { LastCampaigns } from './last-campaigns.tsx';
import { LatestMessages } from './latest-messages.tsx';
import { PhonesToday } from './phones-today.tsx';
import { QuickActions } from './quick-actions.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { SendMessageCard } from './send/send-message-card.tsx';
import { statusLine, stepsLeftLine } from './status-line.ts';

export function DashboardPage() {
  const [hour] = useState(() => new Date().getHours());
  const { user, currentProjectId } = useSession();
  const can = useCan();
  const { data: projects, error, refetch } = useQuery(projectsQuery());
  const current = projects?.find(({ id }) => id === currentProjectId);
  const phones = useQuery({ ...phoneNumbersQuery(current?.id ?? 0), enabled: current !== undefined }).data;
  const today = useQuery(dailyCountsQuery()).data?.data.at(-1);
  const firstRun = useFirstRun(projects, current);
  const isFirstRun = firstRun.state === 'open';
  // The attention card stands above the rest, which would jump.
  const isSettled = !useAttention(projects ?? []).isPending && projects !== undefined;

  const header = (
    <PageHeader
      title={isFirstRun ? welcome(user?.name) : greeting(user?.name, hour)}
      description={
        isFirstRun ? stepsLeftLine(firstRun.steps.filter(({ isDone }) => !isDone).length) : statusLine(phones, today)
      }
      actions={
        projects === undefined && error === null ? (
          <Skeleton className="h-(--control) sm:w-28" />
        ) : current?.sending.can_send && can('campaigns:write') ? (
          <Link to={paths.bulkSend} className={buttonClass()}>
            <Send aria-hidden="true" className="size-4" />
            Bulk send
          </Link>
        ) : undefined
      }
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
  // The cards below the first steps depend on them: shown before them, they would jump.
  if (firstRun.state === 'loading') {
    return (
      <>
        {header}
        <Checklist firstRun={firstRun} project={current} />
      </>
    );
  }
  const hasProject = projects === undefined || current !== undefined;
  // Somebody new has nothing to look at yet.
  const hasNews = firstRun.state !== 'open';
  return (
    <>
      {header}
      <Checklist firstRun={firstRun} project={current} />
      {projects !== undefined && <AttentionCard projects={projects} />}
      <div className={clsx('contents', !isSettled && 'invisible')}>
        <Counts projects={projects} current={current} />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:gap-6 xl:grid-cols-[minmax(0,1fr)_21rem]">
          <div className="grid min-w-0 gap-4 sm:gap-6">
            {hasNews && <MessagesCard />}
            <SendMessageCard projects={projects} />
            {hasNews && <LastCampaigns />}
            {hasProject && hasNews && <PhonesToday project={current} />}
            {isFirstRun && current !== undefined && <FromYourCode project={current} />}
          </div>
          <div className="grid min-w-0 items-start gap-4 sm:gap-6 md:max-xl:grid-cols-2 md:max-xl:grid-rows-[auto_1fr]">
            {hasProject && hasNews && (
              <div className="min-w-0 md:max-xl:row-span-2">
                <LatestMessages project={current} />
              </div>
            )}
            <RecentActivity projects={projects} />
            <QuickActions projects={projects} />
          </div>
        </div>
      </div>
    </>
  );
}
