import { Paperclip } from 'lucide-react';
import type { ReactNode } from 'react';

/** Over what takes a file, while one hovers. */
export function DropHint({ children }: { children: ReactNode }) {
  return (
    <div className="pointer-events-none absolute inset-2 z-10 grid place-items-center rounded-base border-2 border-dashed border-accent bg-accent-subtle/90">
      <p className="flex items-center gap-2 font-semibold text-accent-ink">
        <Paperclip aria-hidden="true" className="size-4.5" />
        {children}
      </p>
    </div>
  );
}
