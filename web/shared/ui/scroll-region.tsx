import { clsx } from 'clsx';
import type { ReactNode, Ref } from 'react';

type ScrollRegionProps = { label: string; className: string; ref?: Ref<HTMLDivElement>; children: ReactNode };

/** A region that scrolls by itself; the keyboard reaches it. Give the greatest height by class. */
export function ScrollRegion({ label, className, ref, children }: ScrollRegionProps) {
  return (
    <div
      ref={ref}
      role="region"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region takes the focus
      tabIndex={0}
      className={clsx('overflow-y-auto focus-visible:-outline-offset-2', className)}
    >
      {children}
    </div>
  );
}
