import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Box, Plus } from 'lucide-react';
import type { Project } from '#contracts/projects.ts';
import { errorText } from '#web/shared/api-error.ts';
import { paths } from '#web/shared/paths.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { Button, buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { ProjectCard } from './project-card.tsx';
import { ProjectCardSkeleton } from './project-card-skeleton.tsx';
import { projectLimitText, useProjectLimit } from '#web/shared/session.ts';
import { Allowed } from '#web/shared/ui/allowed.tsx';

const plus = <Plus aria-hidden="true" className="size-4" />;

export function ProjectsPage() {
  const query = useQuery(projectsQuery());
  const projects = query.data;
  return (
    <>
      <PageHeader
        title="Projects"
        description="A project has its own auth key, phone numbers and webhook"
        actions={projects !== undefined && projects.length > 0 && <NewProjectButton count={projects.length} />}
      />
      {projects === undefined && query.error !== null ? (
        <Card flush>
          <ErrorPanel
            title="Failed to load projects"
            detail={errorText(query.error, 'Try again in a moment.')}
            onRetry={() => void query.refetch()}
          />
        </Card>
      ) : (
        <ProjectCards projects={projects} />
      )}
    </>
  );
}

function NewProjectButton({ count }: { count: number }) {
  const navigate = useNavigate();
  const limit = useProjectLimit();
  const isFull = count >= limit;
  return (
    <>
      {isFull && (
        <p id="project-limit" className="text-13 text-muted max-sm:order-last max-sm:flex-none! max-sm:basis-full">
          {projectLimitText(limit)}
        </p>
      )}
      <Button
        needs="projects:write"
        variant="primary"
        icon={plus}
        disabled={isFull}
        aria-describedby={isFull ? 'project-limit' : undefined}
        onClick={() => void navigate({ to: paths.newProject })}
      >
        New Project
      </Button>
    </>
  );
}

/** `projects` is undefined while they load. */
function ProjectCards({ projects }: { projects: readonly Project[] | undefined }) {
  if (projects?.length === 0) {
    return (
      <Card flush>
        <EmptyState
          icon={<Box aria-hidden="true" />}
          title="No projects"
          hint="Get started by creating a new project."
          action={
            <Allowed needs="projects:write">
              <Link to={paths.newProject} className={buttonClass('primary')}>
                {plus}
                Create New Project
              </Link>
            </Allowed>
          }
        />
      </Card>
    );
  }
  return (
    <ul
      aria-label="Projects"
      aria-busy={projects === undefined}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,22rem),1fr))] gap-4"
    >
      {projects === undefined ? (
        <li>
          <ProjectCardSkeleton />
        </li>
      ) : (
        projects.map((project) => (
          <li key={project.id} className="min-w-0">
            <ProjectCard project={project} />
          </li>
        ))
      )}
    </ul>
  );
}
