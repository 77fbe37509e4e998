import { Card } from '#web/shared/ui/card.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';

export function PhonePageSkeleton() {
  return (
    <div role="status" aria-label="Loading phone number..." className="grid gap-4 sm:gap-6">
      <div className="grid h-12 content-center gap-2.5">
        <Skeleton className="h-5 w-48" />
        <Skeleton className="h-3 w-36" />
      </div>
      {['h-44', 'h-60'].map((height) => (
        <Card key={height}>
          <div className={`grid content-start gap-4 ${height}`}>
            {['w-2/5', 'w-4/5', 'w-3/5', 'w-2/3'].map((width) => (
              <Skeleton key={width} className={`h-3 ${width}`} />
            ))}
          </div>
        </Card>
      ))}
    </div>
  );
}
