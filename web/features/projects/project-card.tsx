import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Project } from '#contracts/projects.ts';
import { paths } from '#web/shared/paths.ts';
import { Button, buttonClass } from '#web/shared/ui/button.tsx';
import { CopyField } from '#web/shared/ui/copy-field.tsx';
import { ProjectBadge } from '#web/shared/ui/project-badge.tsx';
import { formatLongDate } from '#web/shared/time-format.ts';
import { authKeyTexts } from './auth-key-texts.ts';
import { DeleteProjectDialog } from './delete-project-dialog.tsx';

export function ProjectCard({ project }: { project: Project }) {
  const [isDeleting, setDeleting] = useState(false);
  const params = { projectId: String(project.id) };
  return (
    <article aria-label={project.name} className="flex h-full flex-col rounded-base border bg-surface">
      <header className="flex items-start gap-3 px-5 pt-4 pb-4">
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-14" title={project.name}>
            <Link to={paths.project} params={params} className="hover:underline">
              <bdi>{project.name}</bdi>
            </Link>
          </h2>
          <p className="text-13 text-muted">
            Created <time dateTime={project.created_at}>{formatLongDate(project.created_at)}</time>
          </p>
        </div>
        <ProjectBadge project={project} />
      </header>
      <div className="grid gap-4 border-t px-5 py-4">
        <CopyField label="Auth key" copyLabel="Copy auth key" secret value={project.auth_key} texts={authKeyTexts} />
        {project.webhook_url !== null && (
          <div className="grid min-w-0 gap-1">
            <p className="text-13 font-medium">Webhook URL</p>
            <p className="truncate font-mono text-13 text-muted" title={project.webhook_url}>
              {project.webhook_url}
            </p>
          </div>
        )}
      </div>
      <footer className="mt-auto flex items-center gap-2 border-t px-5 py-3">
        <Link to={paths.project} params={params} className={`${buttonClass('secondary', 'small')} flex-1`}>
          View Details
        </Link>
        <Button needs="projects:write" size="small" variant="ghost-danger" onClick={() => setDeleting(true)}>
          Delete
        </Button>
      </footer>
      <DeleteProjectDialog isOpen={isDeleting} project={project} onClose={() => setDeleting(false)} />
    </article>
  );
}
