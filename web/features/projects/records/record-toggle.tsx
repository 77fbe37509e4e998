import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import { useState, type ReactNode } from 'react';

/** Which records of a table are open. */
export function useOpenRecords() {
  const [openIds, setOpenIds] = useState<ReadonlySet<number>>(new Set());
  return {
    isOpen: (id: number) => openIds.has(id),
    toggle: (id: number) =>
      setOpenIds((ids) => (ids.has(id) ? new Set([...ids].filter((other) => other !== id)) : new Set([...ids, id]))),
  };
}

type RecordToggleProps = { isOpen: boolean; onToggle: () => void; children: ReactNode };

/** Heads a record and opens the rest of it beneath. */
export function RecordToggle({ isOpen, onToggle, children }: RecordToggleProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="-ml-1 flex items-center gap-1 rounded-small pr-1 font-medium whitespace-nowrap hover:text-accent-ink"
    >
      <ChevronRight
        aria-hidden="true"
        className={clsx('size-3.5 shrink-0 text-faint transition-transform', isOpen && 'rotate-90')}
      />
      <span>{children}</span>
    </button>
  );
}
