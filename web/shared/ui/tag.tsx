import type { ReactNode } from 'react';

/** A quiet label beside a status: Inactive, Sandbox, a direction. */
export function Tag({ icon, children }: { icon?: ReactNode; children: ReactNode }) {
  return (
    <span className="inline-flex h-5.5 shrink-0 items-center gap-1.5 rounded-small border px-1.5 text-12 font-medium whitespace-nowrap text-muted [&>svg]:size-3">
      {icon}
      {children}
    </span>
  );
}
