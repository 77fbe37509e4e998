/** How much of some steps is done, beside words that say it. */
export function ProgressRing({ percent }: { percent: number }) {
  return (
    <svg viewBox="0 0 40 40" aria-hidden="true" className="size-10 shrink-0 -rotate-90 fill-none">
      <circle cx="20" cy="20" r="16" strokeWidth="4" className="stroke-gray-wash" />
      <circle
        cx="20"
        cy="20"
        r="16"
        strokeWidth="4"
        strokeLinecap="round"
        pathLength="100"
        strokeDasharray={`${percent} 100`}
        className="stroke-accent-ink transition-[stroke-dasharray] duration-(--slow)"
      />
    </svg>
  );
}
