import { Skeleton } from '#web/shared/ui/skeleton.tsx';

export function PhoneCardSkeleton() {
  return (
    <div className="rounded-base border bg-surface">
      <div className="grid gap-2.5 px-5 pt-5.5 pb-4">
        <Skeleton className="h-3 w-32" />
        <Skeleton className="h-3 w-28" />
        <Skeleton className="mt-2 h-5.5 w-24" />
      </div>
      <div className="grid h-36 content-center gap-4 border-t px-5">
        {[1, 2, 3, 4].map((row) => (
          <div key={row} className="flex justify-between">
            <Skeleton className="h-3 w-20" />
            <Skeleton className="h-3 w-12" />
          </div>
        ))}
      </div>
      <div className="border-t px-5 py-3">
        <Skeleton className="h-(--control-small) rounded-base" />
      </div>
    </div>
  );
}
