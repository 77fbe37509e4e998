import { Link, useSearch } from '@tanstack/react-router';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { entrySearch, figureOf, type Figure } from './entry-search.ts';

type FigureLinkProps = {
  figure: Figure;
  className?: string;
  children: ReactNode;
};

/** Whether the people of a figure are the ones that are shown. */
export function useIsShown(): (figure: Figure) => boolean {
  const shown = figureOf(entrySearch(useSearch({ strict: false })));
  return (figure) => JSON.stringify(figureOf(figure)) === JSON.stringify(shown);
}

/** From a figure of a report to the people that it counts, beside it on the page. */
export function FigureLink({ figure, className, children }: FigureLinkProps) {
  return (
    <Link
      to="."
      search={figure as never}
      hash="entries"
      activeOptions={{ exact: true }}
      className={clsx('rounded-small hover:text-ink hover:underline', className)}
    >
      {children}
    </Link>
  );
}
