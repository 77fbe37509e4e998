import type { HoldBand } from './hold-bands.ts';

const hatch = 'bg-[repeating-linear-gradient(135deg,var(--border)_0_2px,transparent_2px_6px)]';
/** Narrower ones have their words in a title alone. */
const leastLabelled = 0.12;

/** Pauses and waits, over the plot of a chart. */
export function HoldMarks({ bands }: { bands: readonly HoldBand[] }) {
  return bands.map(({ label, times, left, width }) => (
    <span
      key={`${label} ${left}`}
      title={`${label}, ${times}`}
      className={`absolute inset-y-0 overflow-hidden border-x border-dashed text-11 text-muted ${hatch}`}
      style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
    >
      {width >= leastLabelled && (
        <span className="block truncate bg-surface/85 px-1.5 py-0.5">
          {label} · {times}
        </span>
      )}
    </span>
  ));
}
