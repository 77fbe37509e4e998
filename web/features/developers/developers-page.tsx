import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { hasStatus } from '#web/shared/api-error.ts';
import { paths } from '#web/shared/paths.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { NotFoundCard } from '#web/shared/ui/not-found-card.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { projectKeysQuery } from './developer-queries.ts';
import { EndpointsCard } from './endpoints-card.tsx';
import { KeysCard } from './keys-card.tsx';
import { RequestLogCard } from './request-log-card.tsx';

export function DevelopersPage() {
  const projectId = Number(useParams({ from: '/shell/projects/$projectId/developers' }).projectId);
  const isId = Number.isSafeInteger(projectId) && projectId > 0;
  const { error } = useQuery({ ...projectKeysQuery(projectId), enabled: isId });
  const project = useQuery(projectsQuery()).data?.find(({ id }) => id === projectId);
  if (!isId || hasStatus(error, 404)) return <NotFoundCard kind="project" />;
  return (
    <>
      <PageHeader
        title="Developers"
        description={
          project === undefined ? 'Keys, webhooks and requests' : `Keys, webhooks and requests of ${project.name}`
        }
        actions={
          <Link to={paths.project} params={{ projectId: String(projectId) }} className={buttonClass()}>
            Back to the project
          </Link>
        }
      />
      <KeysCard projectId={projectId} />
      <EndpointsCard projectId={projectId} />
      <RequestLogCard projectId={projectId} />
    </>
  );
}
