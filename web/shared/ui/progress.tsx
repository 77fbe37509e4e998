import type { ReactNode } from 'react';

type ProgressProps = {
  label: string;
  sent: number;
  failed?: number;
  /** Dealt with, yet neither sent nor failed. */
  skipped?: number;
  total: number;
  /** The words for the counts. */
  words?: { done: string; failed: string };
  /** The base of the percentage: all that is dealt with, or the messages that reached the network. */
  share?: 'done' | 'sent';
  /** Facts in place of the numbers beneath the track. */
  children?: ReactNode;
};

const sendingWords = { done: 'sent', failed: 'failed' };

function percentOf(part: number, total: number): number {
  return total === 0 ? 0 : Math.min(100, (part / total) * 100);
}

/** Sent, failed and skipped share one track; the numbers stand beneath it. */
export function Progress(props: ProgressProps) {
  const { label, sent, failed = 0, skipped = 0, total, words = sendingWords, share = 'done', children } = props;
  const done = sent + failed + skipped;
  const percent = Math.floor(percentOf(share === 'sent' ? sent : done, total));
  const first = share === 'sent' ? `${sent} of ${total} sent, ${percent}%` : `${done} of ${total}`;
  return (
    <div className="grid gap-1.5">
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={`${first}, ${failed} ${words.failed}${skipped > 0 ? `, ${skipped} skipped` : ''}`}
        className="flex h-1.5 overflow-hidden rounded-full bg-gray-wash"
      >
        <span className="bg-accent" style={{ width: `${percentOf(sent, total)}%` }} />
        <span className="bg-red-dot" style={{ width: `${percentOf(failed, total)}%` }} />
        <span className="bg-gray-dot" style={{ width: `${percentOf(skipped, total)}%` }} />
      </div>
      {children ?? (
        <p className="flex justify-between text-12 text-muted tabular-nums">
          <span>
            {sent.toLocaleString('en')} {words.done}
            {failed > 0 && `, ${failed.toLocaleString('en')} ${words.failed}`} of {total.toLocaleString('en')}
          </span>
          <span>{percent}%</span>
        </p>
      )}
    </div>
  );
}
