import { clsx } from 'clsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';

export function ProjectPageSkeleton() {
  return (
    <div aria-busy="true" className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6">
      <PageHeader title="Project" description="Loading..." />
      <Block className="h-16.5" />
      <div className="grid items-start gap-4 sm:gap-6 xl:grid-cols-2">
        <div className="grid gap-4 sm:gap-6">
          <Block className="h-33" />
          <Block className="h-76" />
        </div>
        <Block className="h-127" />
      </div>
      <Block className="h-120" />
    </div>
  );
}

function Block({ className }: { className: string }) {
  return (
    <div className={clsx('grid content-start gap-3 rounded-base border bg-surface p-5', className)}>
      <Skeleton className="h-3 w-28" />
      <Skeleton className="h-3 w-3/5" />
    </div>
  );
}
