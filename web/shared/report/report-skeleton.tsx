import { Skeleton } from '#web/shared/ui/skeleton.tsx';

/** As high as the funnel. */
export function ReportSkeleton() {
  return (
    <div aria-hidden="true" className="grid grid-cols-2 gap-5 rounded-base border bg-surface p-5 lg:grid-cols-4">
      {['sent', 'delivered', 'read', 'replied'].map((step) => (
        <Skeleton key={step} className="h-22" />
      ))}
    </div>
  );
}
