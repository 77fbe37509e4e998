import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { EntryFilter } from '#contracts/campaigns.ts';

type FigureLinkProps = {
  /** Undefined: all of them. */
  status: EntryFilter | undefined;
  className?: string;
  children: ReactNode;
};

/** From a figure of a report to the people that it counts, further down the page. */
export function FigureLink({ status, className = '', children }: FigureLinkProps) {
  return (
    <Link
      to="."
      search={(status === undefined ? {} : { status }) as never}
      hash="entries"
      className={`rounded-small hover:text-ink hover:underline ${className}`}
    >
      {children}
    </Link>
  );
}
