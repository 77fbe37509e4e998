import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { usePageTitle, useSection } from '../route-meta.ts';

/** Where the page stands: its section, and what it is about. */
export function Crumbs() {
  const title = usePageTitle();
  const section = useSection();
  if (section === undefined || section.title === title) {
    return <p className="min-w-0 flex-1 truncate font-medium">{title}</p>;
  }
  return (
    <nav aria-label="Breadcrumb" className="min-w-0 flex-1">
      <ol className="flex min-w-0 items-center gap-1.5">
        <li className="shrink-0 max-sm:hidden">
          <Link to={section.to} className="rounded-small text-muted hover:text-ink hover:underline">
            {section.title}
          </Link>
        </li>
        <li aria-hidden="true" className="shrink-0 max-sm:hidden">
          <ChevronRight className="size-3.5 text-faint" />
        </li>
        <li aria-current="page" dir="auto" className="min-w-0 truncate text-left font-medium">
          {title}
        </li>
      </ol>
    </nav>
  );
}
