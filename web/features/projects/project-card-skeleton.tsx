import { Skeleton } from '#web/shared/ui/skeleton.tsx';

export function ProjectCardSkeleton() {
  return (
    <div className="rounded-base border bg-surface">
      <div className="grid gap-2.5 px-5 pt-5.5 pb-4.5">
        <Skeleton className="h-3 w-36" />
        <Skeleton className="h-3 w-44" />
      </div>
      <div className="grid gap-2.5 border-t px-5 py-5">
        <Skeleton className="h-3 w-16" />
        <Skeleton className="h-10 rounded-base" />
      </div>
      <div className="border-t px-5 py-3">
        <Skeleton className="h-(--control-small) rounded-base" />
      </div>
    </div>
  );
}
