import { Lock } from 'lucide-react';
import { formatDateTime } from '#web/shared/time-format.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** `5 h 12 min`, `12 min`, `less than a minute` */
export function windowLeft(leftMs: number): string {
  const minutes = Math.floor(leftMs / minuteMs);
  if (minutes < 1) return 'less than a minute';
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
}

/** How long a number of the official API may still answer with anything, and since when no longer. */
export function WindowLeft({ at, now }: { at: string; now: number }) {
  const leftMs = Date.parse(at) - now;
  if (leftMs <= 0) {
    return (
      <span
        title={`Since ${formatDateTime(at)}`}
        className="ml-auto flex shrink-0 items-center gap-1.5 text-yellow-ink"
      >
        <Lock aria-hidden="true" className="size-3.5" />
        <span>
          Window shut
          <span className="max-sm:hidden">
            {' '}
            since <time dateTime={at}>{formatDateTime(at)}</time>
          </span>
        </span>
      </span>
    );
  }
  return (
    <span title={`Until ${formatDateTime(at)}`} className="ml-auto flex shrink-0 items-center gap-1.5">
      <Ring share={Math.min(1, leftMs / dayMs)} />
      <span>
        <time dateTime={at} className="font-medium text-ink tabular-nums">
          {windowLeft(leftMs)}
        </time>{' '}
        left<span className="max-sm:hidden"> to answer freely</span>
      </span>
    </span>
  );
}

const radius = 6;
const around = 2 * Math.PI * radius;

function Ring({ share }: { share: number }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className="size-3.5 -rotate-90">
      <circle cx="8" cy="8" r={radius} fill="none" strokeWidth="2.5" className="stroke-line-strong" />
      <circle
        cx="8"
        cy="8"
        r={radius}
        fill="none"
        strokeWidth="2.5"
        strokeDasharray={`${share * around} ${around}`}
        className={share < 1 / 12 ? 'stroke-yellow-dot' : 'stroke-accent'}
      />
    </svg>
  );
}
