import { TriangleAlert } from 'lucide-react';
import type { Review } from '#contracts/reviews.ts';
import { countedText, type Counted } from '#web/shared/counted.ts';
import { isForNobody, skippedWords } from '#web/shared/review/review-words.ts';

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

/** `Skipped: 4 opted out, 8 with an invalid number.` */
function skippedText(skipped: Review['skipped']): string {
  const reasons = skippedWords(skipped);
  return reasons.length === 0 ? '' : `Skipped: ${reasons.join(', ')}.`;
}
