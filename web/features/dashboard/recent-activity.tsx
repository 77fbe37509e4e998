import { Link } from '@tanstack/react-router';
import type { Project } from '#contracts/projects.ts';
import { initials } from '#web/shared/initials.ts';
import { paths } from '#web/shared/paths.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { ProjectBadge } from '#web/shared/ui/project-badge.tsx';
import { Badge } from '#web/shared/ui/status-badge.tsx';
import { newestProjects } from './newest-projects.ts';

export function RecentActivity({ projects }: { projects: readonly Project[] | undefined }) {
  return (
    <Card flush title="Recent Activity">
      {projects?.length === 0 && <p className="px-4 py-4 text-muted sm:px-5">Your projects will show up here.</p>}
      <ul aria-busy={projects === undefined} className="divide-y">
        {projects === undefined ? (
          <li className="flex h-15 items-center gap-3 px-5">
            <Skeleton className="size-8" />
            <Skeleton className="h-3 w-32" />
          </li>
        ) : (
          newestProjects(projects).map((project) => (
            <li key={project.id}>
              <Activity project={project} />
            </li>
          ))
        )}
      </ul>
    </Card>
  );
}

function Activity({ project }: { project: Project }) {
  return (
    <Link
      to={paths.project}
      params={{ projectId: String(project.id) }}
      className="flex min-h-15 items-center gap-3 px-4 py-2.5 hover:bg-hover focus-visible:-outline-offset-2 sm:px-5"
    >
      <span
        aria-hidden="true"
        className="grid size-8 shrink-0 place-items-center rounded-small bg-accent-subtle text-12 font-semibold text-accent-ink"
      >
        {initials(project.name)}
      </span>
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-left font-medium">
          {project.name}
        </span>
        <span className="block text-13 text-muted">
          <RelativeTime at={project.created_at} />
        </span>
      </span>
      {project.is_connected ? <ProjectBadge project={project} /> : <Badge color="gray">Created</Badge>}
    </Link>
  );
}
