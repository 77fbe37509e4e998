import { useState } from 'react';
import type { BoundTemplate } from '#contracts/bound-templates.ts';
import type { Review } from '#contracts/reviews.ts';
import type { Sender } from '../api.ts';
import { countedText } from '../counted.ts';
import { useSession } from '../session.ts';
import { ownTimeZone } from '../time-zones.ts';
import { Notice } from '../ui/notice.tsx';
import { waitingWords } from '../waiting-words.ts';
import { doneWords, placeholderWords, receiversText, skippedWords, warningWords } from './review-words.ts';
import { CostFact, TemplateFact } from './review-facts.tsx';
import { Fact } from './fact.tsx';
import { ReviewSamples } from './review-samples.tsx';
import { SendTest } from './send-test.tsx';

/**
 * Shows who gets the message and who does not, which placeholders are empty for whom, how it reads, and when all have
 * it.
 */
export function ReviewPanel({ review, sender }: { review: Review; sender?: Sender | undefined }) {
  const { will_receive, is_estimate, total, duplicates, placeholders, forecast, samples, media } = review;
  const template = templateOf(review);
  const timeZone = useSession().user?.timezone ?? ownTimeZone();
  const [now] = useState(() => new Date());
  const unknown = placeholders.filter(({ is_unknown, fallback }) => is_unknown && fallback === null);
  const skipped = skippedWords(review.skipped);
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <div className="grid min-w-0 gap-5">
        <div className="grid gap-3 sm:max-lg:grid-cols-2">
          <Fact name="Who gets it" value={receiversText(review)}>
            of {countedText({ count: total, is_estimate })}
            {skipped.length > 0 && `; skipped: ${skipped.join(', ')}`}
            {duplicates > 0 && `; ${duplicates.toLocaleString('en')} with a number that another one has, too`}
            {cappedOf(review) > 0 &&
              `; ${cappedOf(review).toLocaleString('en')} wait until the caps allow another message`}
            {is_estimate && '. An estimate, as counting all of them takes too long'}
          </Fact>
          {forecast !== null && (
            <Fact name="Pace" value={doneWords(forecast, { timeZone, now })}>
              {forecast.phones === 1 ? 'over 1 phone' : `over ${forecast.phones} phones`}, within what each may send
              {cappedOf(review) > 0 && ', but for those who wait'}
            </Fact>
          )}
          <TemplateFact review={review} />
          <CostFact review={review} />
        </div>
        {unknown.length > 0 && (
          <Notice color="red" title="A placeholder has no value for anybody" live>
            {placeholderWords(unknown, will_receive).join(' ')}
          </Notice>
        )}
        {warningsOf(review)
          .map(warningWords)
          .map(({ title, text }) => (
            <Notice key={title} color="yellow" title={title}>
              {text}
            </Notice>
          ))}
        {forecast !== null && forecast.waiting_for !== null && (
          <Notice color="yellow" title={waitingWords(forecast.waiting_for, null).short}>
            {waitingWords(forecast.waiting_for, null).remedy}
          </Notice>
        )}
        {forecast !== null && forecast.done_at === null && forecast.waiting_for === null && will_receive > 0 && (
          <Notice color="yellow" title="This takes more than a year">
            {forecast.count.toLocaleString('en')} of them are written to within a year. Write to fewer people, or add a
            phone.
          </Notice>
        )}
        <Placeholders review={review} />
        {sender !== undefined && samples[0] !== undefined && (
          <SendTest
            sender={sender}
            message={samples[0].message}
            media={media}
            template={template === null ? undefined : testOf(template, samples[0])}
          />
        )}
      </div>
      {samples.length > 0 && <ReviewSamples samples={samples} media={media} template={template} />}
    </div>
  );
}

function testOf({ name, header_media: file }: BoundTemplate, { template }: Review['samples'][number]) {
  if (template === null) return undefined;
  const { language, variables } = template;
  return { name, language, variables, ...(file && { header_media: { id: file.id } }) };
}

/** None, where the release before answers. */
const templateOf = ({ template }: Partial<Review>) => template ?? null;
const cappedOf = ({ capped_waiting: count }: Partial<Review>) => count ?? 0;
const warningsOf = ({ warnings }: Partial<Review>) => warnings ?? [];

function Placeholders({ review: { placeholders, will_receive } }: { review: Review }) {
  const lines = placeholderWords(
    placeholders.filter(({ is_unknown, fallback }) => !is_unknown || fallback !== null),
    will_receive,
  );
  if (lines.length === 0) return null;
  return (
    <section aria-label="Placeholders" className="grid gap-1.5 text-13">
      <h3 className="font-medium">Placeholders</h3>
      <ul className="grid gap-1 text-muted">
        {lines.map((line) => (
          <li key={line} className="wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
    </section>
  );
}
