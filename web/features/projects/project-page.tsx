import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { errorText, hasStatus } from '#web/shared/api-error.ts';
import { ProjectTabs } from '#web/shared/project-tabs.tsx';
import { useCan } from '#web/shared/session.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { NotFoundCard } from '#web/shared/ui/not-found-card.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { AuthKeyCard } from './auth-key-card.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { ApiExamples } from './examples/api-examples.tsx';
import { MessagesRecords } from './records/messages-records.tsx';
import { WebhooksRecords } from './records/webhooks-records.tsx';
import { ProjectHeader } from './project-header.tsx';
import { ProjectPageSkeleton } from './project-page-skeleton.tsx';
import { projectQuery } from './project-query.ts';
import { WebhookCard } from './webhook-card.tsx';

export function ProjectPage() {
  const projectId = Number(useParams({ from: '/shell/projects/$projectId' }).projectId);
  const isId = Number.isSafeInteger(projectId) && projectId > 0;
  const { data: project, error, refetch } = useQuery({ ...projectQuery(projectId), enabled: isId });
  const can = useCan();
  const isMissing = !isId || hasStatus(error, 404);
  const failure =
    project === undefined && error !== null && !isMissing ? errorText(error, 'Failed to load project data') : undefined;

  useEffect(() => {
    if (failure !== undefined) notify.error(failure);
  }, [failure]);

  if (isMissing) return <NotFoundCard kind="project" />;
  if (failure !== undefined) {
    return (
      <>
        <PageHeader title="Project" />
        <Card flush>
          <ErrorPanel title="Failed to load project" detail={failure} onRetry={() => void refetch()} />
        </Card>
      </>
    );
  }
  if (project === undefined) return <ProjectPageSkeleton />;
  return (
    <>
      <ProjectHeader project={project} />
      <ProjectTabs projectId={project.id} />
      <ConnectionNotice project={project} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:gap-6 xl:grid-cols-2">
        <div className="grid min-w-0 gap-4 sm:gap-6">
          <AuthKeyCard project={project} />
          {can('webhooks:read') && <WebhookCard project={project} />}
        </div>
        <ApiExamples project={project} />
      </div>
      <MessagesRecords projectId={project.id} />
      {can('webhooks:read') && <WebhooksRecords project={project} />}
    </>
  );
}
