import { useNavigate } from '@tanstack/react-router';
import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Project } from '#contracts/projects.ts';
import { usePageName } from '#web/shared/page-name.ts';
import { paths } from '#web/shared/paths.ts';
import { formatLongDate } from '#web/shared/time-format.ts';
import { CopyButton } from '#web/shared/ui/copy-button.tsx';
import { HistoryLink } from '#web/shared/ui/history-link.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Menu } from '#web/shared/ui/menu.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { ProjectBadge } from '#web/shared/ui/project-badge.tsx';
import { authKeyTexts } from './auth-key-texts.ts';
import { DeleteProjectDialog } from './delete-project-dialog.tsx';
import { RenameProjectDialog } from './rename-project-dialog.tsx';

export function ProjectHeader({ project }: { project: Project }) {
  const [open, setOpen] = useState<'rename' | 'delete'>();
  const navigate = useNavigate();
  const close = () => setOpen(undefined);
  usePageName(project.name);
  return (
    <>
      <PageHeader
        title={project.name}
        badge={<ProjectBadge project={project} />}
        description={
          <>
            Created <time dateTime={project.created_at}>{formatLongDate(project.created_at)}</time>
          </>
        }
        actions={
          <>
            {project.auth_key !== null && (
              <CopyButton
                variant="primary"
                size="medium"
                value={project.auth_key}
                label="Copy Auth Key"
                texts={authKeyTexts}
              />
            )}
            <HistoryLink target={`project:${project.id}`} name={project.name} />
            <Menu
              trigger={
                <IconButton
                  label="More actions for this project"
                  icon={<Ellipsis aria-hidden="true" className="size-4" />}
                  className="max-sm:flex-none!"
                />
              }
              items={[
                {
                  label: 'Rename',
                  needs: 'projects:write',
                  icon: <Pencil className="size-4" />,
                  onSelect: () => setOpen('rename'),
                },
                'separator',
                {
                  label: 'Delete project',
                  needs: 'projects:write',
                  icon: <Trash2 className="size-4" />,
                  danger: true,
                  onSelect: () => setOpen('delete'),
                },
              ]}
            />
          </>
        }
      />
      {open === 'rename' && <RenameProjectDialog project={project} onClose={close} />}
      <DeleteProjectDialog
        isOpen={open === 'delete'}
        project={project}
        onClose={close}
        onDeleted={() => navigate({ to: paths.projects })}
      />
    </>
  );
}
