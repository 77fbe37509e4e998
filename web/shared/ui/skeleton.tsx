import { clsx } from 'clsx';

/** Stands where content will be, in its final size: give width and height by class. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'block animate-shimmer rounded-small bg-[linear-gradient(90deg,var(--gray-bg)_30%,var(--hover)_50%,var(--gray-bg)_70%)] bg-size-[300%_100%]',
        className,
      )}
    />
  );
}
