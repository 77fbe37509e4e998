import { Link } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { paths } from '../paths.ts';
import { useCan } from '../session.ts';

type HistoryLinkProps = {
  /** As the audit log filters by it: `campaign:12`. */
  target: `${'campaign' | 'flow' | 'segment' | 'phone' | 'project'}:${number}`;
  name: string;
};

/** Leads to what was done to a thing; nothing for members who may not read the audit log. */
export function HistoryLink({ target, name }: HistoryLinkProps) {
  const can = useCan();
  if (!can('audit:read')) return null;
  return (
    <Link
      to={paths.auditLog}
      search={{ target }}
      aria-label={`History of ${name}`}
      title="History"
      className="inline-grid size-(--control-small) shrink-0 place-items-center rounded-small text-muted transition-colors hover:bg-hover hover:text-ink max-sm:flex-none!"
    >
      <History aria-hidden="true" className="size-4" />
    </Link>
  );
}
