import { Link } from '@tanstack/react-router';
import type { paths } from '#web/shared/paths.ts';

type ViewAllLinkProps = {
  to: typeof paths.project | typeof paths.phoneNumbers;
  projectId: number;
  /** 'messages' */
  what: string;
  /** The part of the page that has them. */
  hash?: string | undefined;
  /** Told where the card leaves some out. */
  count?: number | undefined;
};

/** From a card to all of what it shows the first of. */
export function ViewAllLink({ to, projectId, what, hash, count }: ViewAllLinkProps) {
  return (
    <Link
      to={to}
      params={{ projectId: String(projectId) }}
      {...(hash !== undefined && { hash })}
      className="text-13 font-medium text-accent-ink hover:underline"
    >
      {count === undefined ? 'View all' : `View all ${count}`}
      <span className="sr-only"> {what}</span>
    </Link>
  );
}
