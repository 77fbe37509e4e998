import { Link } from '@tanstack/react-router';
import { paths } from '#web/shared/paths.ts';
import { useCan } from '#web/shared/session.ts';

const linkClass =
  'rounded-small px-2.5 py-1.5 text-13 font-medium text-muted hover:bg-hover hover:text-ink ' +
  'aria-[current=page]:bg-pressed aria-[current=page]:text-ink';

/** The pages of the settings. */
export function SettingsIndex() {
  const can = useCan();
  return (
    <nav aria-label="Settings" className="-mt-2 flex flex-wrap gap-1 border-b pb-2">
      <Link to={paths.settings} activeOptions={{ exact: true, includeSearch: false }} className={linkClass}>
        General
      </Link>
      <Link to={paths.security} className={linkClass}>
        Security
      </Link>
      {can('team:read') && (
        <Link to={paths.team} className={linkClass}>
          Team
        </Link>
      )}
      {can('contacts:write') && (
        <Link to={paths.optOut} activeOptions={{ includeSearch: false }} className={linkClass}>
          Opt-out
        </Link>
      )}
      {can('audit:read') && (
        <Link to={paths.auditLog} className={linkClass}>
          Audit log
        </Link>
      )}
    </nav>
  );
}
