import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Project } from '#contracts/projects.ts';
import { errorText, hasStatus } from '#web/shared/api-error.ts';
import { paths } from '#web/shared/paths.ts';
import { ProjectTabs } from '#web/shared/project-tabs.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { NotFoundCard } from '#web/shared/ui/not-found-card.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { PageSkeleton } from '#web/shared/ui/page-skeleton.tsx';
import { DeleteProjectDialog } from './delete-project-dialog.tsx';
import { FilesCard } from './files-card.tsx';
import { projectQuery } from './project-query.ts';
import { ReadingCard } from './reading-card.tsx';
import { RenameProjectDialog } from './rename-project-dialog.tsx';

/** Settings of the whole project that are seldom changed. */
export function ProjectSettingsPage() {
  const projectId = Number(useParams({ from: '/shell/projects/$projectId/settings' }).projectId);
  const isId = Number.isSafeInteger(projectId) && projectId > 0;
  const { data: project, error, refetch } = useQuery({ ...projectQuery(projectId), enabled: isId });
  if (!isId || hasStatus(error, 404)) return <NotFoundCard kind="project" />;
  if (project === undefined && error === null)
    return <PageSkeleton what="project" cards={['Name', 'Inbox', 'Files']} />;
  return (
    <>
      <PageHeader title="Project settings" description={project && <bdi>{project.name}</bdi>} />
      <ProjectTabs projectId={projectId} />
      {project === undefined ? (
        <Card flush>
          <ErrorPanel
            title="Failed to load project"
            detail={errorText(error, 'Failed to load project data')}
            onRetry={() => void refetch()}
          />
        </Card>
      ) : (
        <div className="grid max-w-180 grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6">
          <NameCard project={project} />
          <ReadingCard project={project} />
          <FilesCard project={project} />
          <DeletionCard project={project} />
        </div>
      )}
    </>
  );
}

function NameCard({ project }: { project: Project }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title="Name"
      actions={
        <Button needs="projects:write" size="small" onClick={() => setOpen(true)}>
          Rename
        </Button>
      }
    >
      <p className="wrap-anywhere">
        <bdi>{project.name}</bdi>
      </p>
      {isOpen && <RenameProjectDialog project={project} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function DeletionCard({ project }: { project: Project }) {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  return (
    <Card
      title="Delete this project"
      description="Its phone numbers are signed out, its keys stop, and all that belongs to it goes."
      actions={
        <Button needs="projects:write" size="small" variant="ghost-danger" onClick={() => setOpen(true)}>
          Delete project
        </Button>
      }
    >
      <DeleteProjectDialog
        isOpen={isOpen}
        project={project}
        onClose={() => setOpen(false)}
        onDeleted={() => navigate({ to: paths.projects })}
      />
    </Card>
  );
}
