import { Skeleton } from './skeleton.tsx';

/** Stands where a card will be: `className` gives its whole height. */
export function CardSkeleton({ className }: { className: string }) {
  return (
    <div className={`grid content-start gap-4 overflow-hidden rounded-base border bg-surface p-5 ${className}`}>
      {['w-2/5', 'w-4/5', 'w-3/5'].map((width) => (
        <Skeleton key={width} className={`h-3 ${width}`} />
      ))}
    </div>
  );
}
