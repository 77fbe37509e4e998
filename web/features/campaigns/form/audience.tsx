import { TriangleAlert } from 'lucide-react';
import type { Review } from '#contracts/reviews.ts';
import { countedText, type Counted } from '#web/shared/counted.ts';
import { isForNobody } from '#web/shared/review/review-words.ts';

/** Shows who will get the message, who is skipped and why. `preview` is undefined while it is counted. */
export function Audience({ preview }: { preview: Review | undefined }) {
  if (preview === undefined) return <p className="text-muted">...</p>;
  const { total, will_receive, is_estimate, skipped } = preview;
  if (isForNobody(preview)) {
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
    <p className="text-muted tabular-nums first-letter:uppercase">
      <b className="font-semibold text-ink">
        {people({ count: will_receive, is_estimate })} of {countedText({ count: total, is_estimate })}
      </b>{' '}
      will get it. {skippedText(skipped)}
    </p>
  );
}

function people(counted: Counted): string {
  return counted.count === 1 ? '1 profile' : `${countedText(counted)} profiles`;
}

/** `Skipped: 8 with an invalid number, 4 opted out.` */
function skippedText({ invalid_number, opted_out }: Review['skipped']): string {
  const parts = [
    ...(invalid_number > 0 ? [`${invalid_number.toLocaleString('en')} with an invalid number`] : []),
    ...(opted_out > 0 ? [`${opted_out.toLocaleString('en')} opted out`] : []),
  ];
  return parts.length === 0 ? '' : `Skipped: ${parts.join(', ')}.`;
}
