import { TriangleAlert } from 'lucide-react';
import type { Review } from '#contracts/reviews.ts';

/** Shows who will get the message, who is skipped and why. `preview` is undefined while it is counted. */
export function Audience({ preview }: { preview: Review | undefined }) {
  if (preview === undefined) return <p className="text-muted">...</p>;
  const { total, will_receive, skipped } = preview;
  if (will_receive === 0) {
    return (
      <p className="flex gap-1.5 text-yellow-ink">
        <TriangleAlert aria-hidden="true" className="mt-0.75 size-3.5 shrink-0" />
        <span>
          {total === 0 ? 'Nobody is in this segment now.' : 'Nobody in this segment can get it.'} {skippedText(skipped)}
        </span>
      </p>
    );
  }
  return (
    <p className="text-muted tabular-nums">
      <b className="font-semibold text-ink">
        {people(will_receive)} of {total.toLocaleString('en')}
      </b>{' '}
      will get it. {skippedText(skipped)}
    </p>
  );
}

function people(count: number): string {
  return count === 1 ? '1 profile' : `${count.toLocaleString('en')} profiles`;
}

/** `Skipped: 8 with an invalid number, 4 opted out.` */
function skippedText({ invalid_number, opted_out }: Review['skipped']): string {
  const parts = [
    ...(invalid_number > 0 ? [`${invalid_number.toLocaleString('en')} with an invalid number`] : []),
    ...(opted_out > 0 ? [`${opted_out.toLocaleString('en')} opted out`] : []),
  ];
  return parts.length === 0 ? '' : `Skipped: ${parts.join(', ')}.`;
}
