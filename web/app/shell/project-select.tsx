import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown } from 'lucide-react';
import type { Project } from '#contracts/projects.ts';
import { initials } from '#web/shared/initials.ts';
import { paths } from '#web/shared/paths.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { setCurrentProject, useSession } from '#web/shared/session.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { isStuck, projectStatusWord } from '#web/shared/ui/project-badge.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { connectionColor, StatusDot } from '#web/shared/ui/status-badge.tsx';

/** The platform's own select under our look: it opens as people know it on every device. */
export function ProjectSelect() {
  const { data: projects = [], isPending, isLoadingError } = useQuery(projectsQuery());
  const emptyText = isPending ? 'Loading...' : isLoadingError ? 'Failed to fetch projects' : 'No projects';
  const { currentProjectId } = useSession();
  const onProjectPage = useLocation().pathname.startsWith(`${paths.projects}/`);
  const navigate = useNavigate();
  const current = projects.find((project) => project.id === currentProjectId);

  function handleChange(projectId: number): void {
    setCurrentProject(projectId);
    // A page about the project that was current follows the choice.
    if (onProjectPage) void navigate({ to: paths.project, params: { projectId: String(projectId) } });
  }

  return (
    <>
      <div className="relative flex h-12 shrink-0 items-center gap-2.5 rounded-base border border-control bg-surface pr-2.5 pl-2 shadow-control focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-focus">
        <span
          aria-hidden="true"
          className="grid size-7 shrink-0 place-items-center rounded-small bg-accent-subtle text-12 font-semibold text-accent-ink"
        >
          {current === undefined ? !isPending && '–' : initials(current.name)}
        </span>
        <span aria-hidden="true" className="min-w-0 flex-1">
          {isPending ? (
            <span className="grid gap-2">
              <Skeleton className="h-3 w-3/4" />
              <Skeleton className="h-2.5 w-1/2" />
            </span>
          ) : (
            <span className="block truncate text-13 leading-4.5 font-medium">
              <bdi>{current?.name ?? emptyText}</bdi>
            </span>
          )}
          {current !== undefined && (
            <span className="flex items-center gap-1.5 text-12 text-muted">
              <StatusDot color={isStuck(current) ? 'yellow' : connectionColor(current.status)} />
              <span className="truncate">{projectStatusWord(current)}</span>
            </span>
          )}
        </span>
        <ChevronsUpDown aria-hidden="true" className="size-3.5 text-faint" />
        <select
          aria-label="Current project"
          className="absolute inset-0 size-full appearance-none opacity-0"
          disabled={projects.length === 0}
          value={current?.id ?? ''}
          onChange={(event) => handleChange(Number(event.target.value))}
        >
          {current === undefined && <option value="">{emptyText}</option>}
          {projects.map((project) => (
            <option key={project.id} value={project.id}>
              {project.name}
            </option>
          ))}
        </select>
      </div>
      {current !== undefined && isStuck(current) && <StuckNote project={current} />}
    </>
  );
}

/** Why the current project cannot send, and the way to where that is mended. */
function StuckNote({ project: { id, sending } }: { project: Project }) {
  const isResting = sending.reason === 'sandbox_resting';
  return (
    <div className="mt-2 grid justify-items-start gap-1 px-2 text-12 text-muted">
      {sending.message !== null && <p className="text-pretty">{sending.message}</p>}
      <Link
        to={isResting ? paths.project : paths.phoneNumbers}
        params={{ projectId: String(id) }}
        className={buttonClass('secondary', 'small')}
      >
        {isResting ? 'Connect WhatsApp' : 'Phone numbers'}
      </Link>
    </div>
  );
}
