import { clsx } from 'clsx';
import { Card } from './card.tsx';
import { Skeleton } from './skeleton.tsx';

type PageSkeletonProps = {
  /** What is being loaded: `campaign`. */
  what: string;
  /** Of each card: `h-24`. */
  cards: readonly string[];
  isSideBySide?: boolean;
};

/** Stands where the page of one thing is to come: its head, then its cards. */
export function PageSkeleton({ what, cards, isSideBySide = false }: PageSkeletonProps) {
  return (
    <div role="status" aria-label={`Loading ${what}...`} className="grid gap-4 sm:gap-6">
      <div className="grid h-12 content-center gap-2.5">
        <Skeleton className="h-5 w-48" />
        <Skeleton className="h-3 w-64" />
      </div>
      <div className={clsx('grid gap-4 sm:gap-6', isSideBySide && 'xl:grid-cols-2')}>
        {cards.map((height, index) => (
          <Card key={index}>
            <div className={`grid content-start gap-4 ${height}`}>
              {['w-2/5', 'w-4/5', 'w-3/5'].map((width) => (
                <Skeleton key={width} className={`h-3 ${width}`} />
              ))}
            </div>
          </Card>
        ))}
      </div>
    </div>
  );
}
