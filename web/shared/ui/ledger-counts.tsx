import type { ReactNode } from 'react';
import { StatusDot } from './status-badge.tsx';

type LedgerCountsProps = {
  counts: {
    total_count: number;
    sent_count: number;
    failed_count: number;
    skipped_count: number;
    waiting_count: number;
  };
  /** The rest of the line. */
  children: ReactNode;
};

/** How many of what is sent to many are where, in a line below its bar. */
export function LedgerCounts({ counts, children }: LedgerCountsProps) {
  return (
    <p className="mt-1 flex flex-wrap gap-x-6 gap-y-1 text-13 text-muted tabular-nums">
      <Fact label="Total" value={counts.total_count} />
      <Fact label="Sent" value={counts.sent_count} dot={<span className="size-1.5 rounded-full bg-accent" />} />
      <Fact label="Failed" value={counts.failed_count} dot={<StatusDot color="red" />} />
      <Fact label="Skipped" value={counts.skipped_count} dot={<StatusDot color="gray" />} />
      <Fact label="Waiting" value={counts.waiting_count} />
      {children}
    </p>
  );
}

function Fact({ label, value, dot }: { label: string; value: number; dot?: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      {dot}
      {label} <b className="font-medium text-ink">{value.toLocaleString('en')}</b>
    </span>
  );
}

/** A fact among several in a row, within a `dl`. */
export function NamedFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-2">
      <dt className="text-muted">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}
