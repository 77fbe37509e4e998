import type { ReactNode } from 'react';

/** A figure of a review with its words. */
export function Fact({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-1 rounded-base border bg-sunken px-4 py-3">
      <h3 className="text-12 font-medium text-muted">{name}</h3>
      <p className="text-20 font-semibold tracking-tight text-balance tabular-nums">{value}</p>
      <p className="text-13 text-pretty text-muted">{children}</p>
    </div>
  );
}
