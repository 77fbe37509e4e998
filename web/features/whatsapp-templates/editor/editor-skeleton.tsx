import { Skeleton } from '#web/shared/ui/skeleton.tsx';

export function EditorSkeleton() {
  return (
    <div role="status" aria-label="Loading..." className="grid gap-6">
      <Skeleton className="h-12 w-64" />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,20rem)]">
        <Skeleton className="h-140 rounded-base" />
        <Skeleton className="h-80 rounded-base" />
      </div>
    </div>
  );
}
