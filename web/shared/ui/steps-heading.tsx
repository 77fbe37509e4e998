/** Beside words that say it. */
function ProgressRing({ percent }: { percent: number }) {
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

/** How many of the first steps are done; `id` names the heading. */
export function StepsHeading({ id, done, total }: { id: string; done: number; total: number }) {
  return (
    <>
      <ProgressRing percent={(done / total) * 100} />
      <div className="min-w-0 flex-1">
        <h2 id={id} className="text-14">
          Get started
        </h2>
        <p role="status" className="text-13 text-muted tabular-nums">
          {done} of {total} done
        </p>
      </div>
    </>
  );
}
