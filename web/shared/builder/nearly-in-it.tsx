import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import type { Expression } from '#contracts/expressions.ts';
import { nodesOf } from '#contracts/expressions.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { expressionWords, type ExpressionNames } from '#web/shared/conditions/expression-words.ts';
import { countedText } from '#web/shared/counted.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { ExplainedPerson } from './explanation.tsx';

const pageSize = 5;

/** People who miss it by a single condition; asked for once it is opened, as it reads all profiles. */
export function NearlyInIt({ expression, names }: { expression: Expression; names: ExpressionNames }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="grid gap-1 border-t py-2 text-13">
      <div className="px-4">
        <Button size="small" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          Nearly in it
          <ChevronDown aria-hidden="true" className={isOpen ? 'size-3.5 rotate-180' : 'size-3.5'} />
        </Button>
      </div>
      <div id={id}>{isOpen && <NearlyList expression={expression} names={names} />}</div>
    </div>
  );
}

function NearlyList({ expression, names }: { expression: Expression; names: ExpressionNames }) {
  const [offset, setOffset] = useState(0);
  const { data, error } = useQuery({
    queryKey: [...queryKeys.segments, 'nearly', expression, offset],
    queryFn: ({ signal }) =>
      callApi('POST /api/segments/nearly', { body: { expression, limit: pageSize, offset } }, { signal }),
  });
  if (error !== null) {
    return <p className="px-4 text-red-ink">{errorText(error, 'Failed to fetch people who are nearly in it')}</p>;
  }
  if (!data) return <p className="px-4 text-muted">...</p>;
  if (data.count === 0 && !data.is_estimate)
    return <p className="px-4 text-muted">Nobody misses it by one condition alone.</p>;
  const last = Math.min(offset + pageSize, data.count);
  return (
    <div className="grid gap-1.5">
      <p className="px-4 text-muted tabular-nums first-letter:uppercase" aria-live="polite">
        {data.count === 1 ? '1 person misses' : `${countedText(data)} people miss`} one condition
      </p>
      <ul aria-label="Nearly in it" className="grid gap-1">
        {data.data.map((member) => (
          <ExplainedPerson key={member.id} member={member} expression={expression} names={names}>
            <span className="block text-12 text-muted">
              Missing: {wordsAt(expression, member.missing, names)}
              {member.joins_at !== null && (
                <>
                  {' · joins '}
                  <DateTime at={member.joins_at} />
                </>
              )}
            </span>
          </ExplainedPerson>
        ))}
      </ul>
      {data.count > pageSize && (
        <div className="flex flex-wrap items-center justify-between gap-2 px-4">
          <span className="text-muted tabular-nums">
            {(offset + 1).toLocaleString('en')} to {last.toLocaleString('en')} of {countedText(data)}
          </span>
          <span className="flex gap-2">
            <Button size="small" disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - pageSize))}>
              Previous
            </Button>
            <Button size="small" disabled={last >= data.count} onClick={() => setOffset(offset + pageSize)}>
              Next
            </Button>
          </span>
        </div>
      )}
    </div>
  );
}

/** A condition in words, by the place that the server names. */
function wordsAt(expression: Expression, place: string, names: ExpressionNames): string {
  const found = nodesOf(expression).find(({ path }) => (path === '' ? 'expression' : `expression.${path}`) === place);
  return expressionWords(found?.node ?? expression, names);
}
