import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { CardSkeleton } from './card-skeleton.tsx';
import { Skeleton } from './skeleton.tsx';

type PageSkeletonProps = {
  /** The noun for the loading page: `campaign`. */
  what: string;
  /** The height of each card: `h-24`. */
  cards: readonly string[];
  /** The same beside them, in columns that `columns` gives. */
  aside?: readonly string[];
  columns?: string;
  /** Whether a link to where one came from is above the head. */
  hasWayBack?: boolean;
  /** Between the head and the cards. */
  children?: ReactNode;
};

/** Stands where the page of one thing is to come: its head, then its cards. */
export function PageSkeleton({ what, cards, aside, columns, hasWayBack = false, children }: PageSkeletonProps) {
  return (
    <div role="status" aria-label={`Loading ${what}...`} className="grid gap-4 sm:gap-6">
      <div className="grid gap-2">
        {hasWayBack && (
          <div className="grid h-5 content-center">
            <Skeleton className="h-3 w-20" />
          </div>
        )}
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
          <div className="grid h-12.5 flex-1 basis-64 content-center gap-2.5">
            <Skeleton className="h-5 w-48" />
            <Skeleton className="h-3 w-64 max-w-full" />
          </div>
          <Skeleton className="h-10 w-48 max-sm:w-full" />
        </div>
      </div>
      {children}
      <div className={clsx('grid items-start gap-4 sm:gap-6', columns)}>
        <Column cards={cards} />
        {aside !== undefined && <Column cards={aside} />}
      </div>
    </div>
  );
}

function Column({ cards }: { cards: readonly string[] }) {
  return (
    <div className="grid min-w-0 gap-4 sm:gap-6">
      {cards.map((height, index) => (
        <CardSkeleton key={index} className={height} />
      ))}
    </div>
  );
}
