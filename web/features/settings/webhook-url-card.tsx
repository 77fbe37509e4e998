import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Project } from '#contracts/projects.ts';
import { errorText } from '#web/shared/api-error.ts';
import { paths } from '#web/shared/paths.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { useSession } from '#web/shared/session.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { CopyField } from '#web/shared/ui/copy-field.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';

const copyTexts = { copied: 'Webhook URL copied to clipboard', failed: 'Failed to copy webhook URL' };

/** Where the current project's events go; it is changed on the project's page. */
export function WebhookUrlCard({ notice }: { notice: (project: Project) => ReactNode }) {
  const { currentProjectId } = useSession();
  const { data: projects, error, refetch } = useQuery(projectsQuery());
  const project = projects?.find(({ id }) => id === currentProjectId);
  return (
    <Card
      id="webhook-url"
      title="Webhook URL"
      description={
        project && (
          <>
            Events of <bdi>{project.name}</bdi> are posted here.
          </>
        )
      }
      actions={
        project !== undefined && (
          <Link
            to={paths.project}
            params={{ projectId: String(project.id) }}
            className={buttonClass('secondary', 'small')}
          >
            Open project
          </Link>
        )
      }
    >
      {projects === undefined && error === null && <Skeleton className="h-10" />}
      {projects === undefined && error !== null && (
        <ErrorPanel
          title="Failed to load projects"
          detail={errorText(error, 'Try again in a moment.')}
          onRetry={() => void refetch()}
        />
      )}
      {projects !== undefined && !project?.webhook_url && (
        <p className="text-muted">
          {project === undefined ? 'Create a project to receive events.' : 'None yet. Set one on the project’s page.'}
        </p>
      )}
      {project?.webhook_url && (
        <div className="grid gap-4">
          {notice(project)}
          <CopyField
            label="Webhook URL"
            copyLabel="Copy webhook URL"
            hideLabel
            value={project.webhook_url}
            texts={copyTexts}
          />
        </div>
      )}
    </Card>
  );
}
