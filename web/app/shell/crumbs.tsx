import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { paths } from '#web/shared/paths.ts';
import { usePageTitle, useProjectOfPage, useSection } from '../route-meta.ts';

const linkClass = 'block truncate rounded-small text-muted hover:text-ink hover:underline';

/** Where the page stands: its section, its project, and what it is about. */
export function Crumbs() {
  const title = usePageTitle();
  const section = useSection();
  const project = useProjectOfPage();
  if (section === undefined || section.title === title) {
    return <p className="min-w-0 flex-1 truncate font-medium">{title}</p>;
  }
  return (
    <nav aria-label="Breadcrumb" className="min-w-0 flex-1">
      <ol className="flex min-w-0 items-center gap-1.5">
        <Above className="shrink-0">
          <Link to={section.to} className={linkClass}>
            {section.title}
          </Link>
        </Above>
        {project && (
          <Above className="max-w-60 min-w-0">
            <Link to={paths.project} params={{ projectId: String(project.id) }} className={linkClass}>
              <bdi>{project.name}</bdi>
            </Link>
          </Above>
        )}
        <li aria-current="page" dir="auto" className="min-w-0 truncate text-left font-medium">
          {title}
        </li>
      </ol>
    </nav>
  );
}

function Above({ className, children }: { className: string; children: ReactNode }) {
  return (
    <>
      <li className={`max-sm:hidden ${className}`}>{children}</li>
      <li aria-hidden="true" className="shrink-0 max-sm:hidden">
        <ChevronRight className="size-3.5 text-faint" />
      </li>
    </>
  );
}
