import { CardSkeleton } from '../ui/card-skeleton.tsx';
import { PageSkeleton } from '../ui/page-skeleton.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** Beside the message and the opt-outs. */
export const reportColumns = 'grid-cols-[minmax(0,1fr)] xl:grid-cols-[minmax(0,1fr)_22rem]';

const overTimeHeight = 'h-97.5 sm:h-91.5';
const optOutsHeight = 'h-24.5';

export function FunnelSkeleton() {
  return (
    <div aria-hidden="true" className="rounded-base border bg-surface">
      <div className="grid h-36 content-between border-b p-4 sm:h-28.5 sm:p-5">
        <Skeleton className="h-4 w-28" />
        <Skeleton className="h-2.5" />
        <Skeleton className="h-3 w-72 max-w-full" />
      </div>
      <div className="h-11 max-sm:h-11.5" />
      <div className="grid grid-cols-2 md:grid-cols-4">
        {['sent', 'delivered', 'read', 'replied'].map((step) => (
          <div key={step} className="p-4 sm:p-5 md:not-first:border-l max-md:even:border-l max-md:nth-[n+3]:border-t">
            <div className="grid h-24.5 content-between">
              <Skeleton className="h-3 w-16" />
              <Skeleton className="h-7 w-12" />
              <Skeleton className="h-2" />
              <Skeleton className="h-3 w-24 max-w-full" />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}

export const OverTimeSkeleton = () => <CardSkeleton className={overTimeHeight} />;

export const OptOutsSkeleton = () => <CardSkeleton className={optOutsHeight} />;

/** Of the page of a campaign, a flow or a bulk run. */
export function ReportPageSkeleton({ what }: { what: string }) {
  return (
    <PageSkeleton
      what={what}
      hasWayBack
      cards={['h-56 sm:h-37', overTimeHeight]}
      aside={['h-37', optOutsHeight]}
      columns={reportColumns}
    >
      <FunnelSkeleton />
    </PageSkeleton>
  );
}
