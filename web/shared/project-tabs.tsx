import { Link } from '@tanstack/react-router';
import { paths } from './paths.ts';

const pages = [
  { to: paths.project, label: 'Overview' },
  { to: paths.phoneNumbers, label: 'Phone numbers' },
  { to: paths.developers, label: 'Developers' },
  { to: paths.projectSettings, label: 'Settings' },
] as const;

const tabClass =
  'grid h-10 items-center border-b-2 border-transparent px-2.5 text-13 font-medium whitespace-nowrap text-muted hover:text-ink focus-visible:-outline-offset-2 max-sm:px-2';

/** The pages of a project, each with an address of its own. */
export function ProjectTabs({ projectId }: { projectId: number }) {
  return (
    <nav aria-label="Project" className="scroll-signs flex min-w-0 gap-0.5 overflow-x-auto border-b">
      {pages.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          params={{ projectId: String(projectId) }}
          activeOptions={{ exact: true, includeSearch: false }}
          className={tabClass}
          activeProps={{ className: `${tabClass} border-accent-ink! text-ink!`, 'aria-current': 'page' }}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
