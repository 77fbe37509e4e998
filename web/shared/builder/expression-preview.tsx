import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Expression } from '#contracts/expressions.ts';
import { GivenExpression } from '#contracts/given-expression.ts';
import type { SegmentMember } from '#contracts/segments.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { expressionWords, type ExpressionNames } from '#web/shared/conditions/expression-words.ts';
import { countedText, type Counted } from '#web/shared/counted.ts';
import { Field } from '#web/shared/form/field.tsx';
import { PersonInput } from '#web/shared/pick/person-input.tsx';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';
import { useDebounced } from '#web/shared/use-debounced.ts';
import { ExplainedPerson, Explanation } from './explanation.tsx';
import { NearlyInIt } from './nearly-in-it.tsx';

const pauseMs = 400;

export const isWhole = (expression: Expression) => GivenExpression.safeParse(expression).success;

/** Whom the expression matches and how many each part does, once typing pauses on one that can be asked. */
export function useExpressionPreview(expression: Expression) {
  const typed = JSON.stringify(expression);
  const settled = useDebounced(typed, pauseMs);
  const asked = JSON.parse(settled) as Expression;
  const isCountable = isWhole(asked) && typed === settled;
  const { data, error } = useQuery({
    queryKey: [...queryKeys.segments, 'preview', asked],
    queryFn: ({ signal }) => callApi('POST /api/segments/preview', { body: { expression: asked } }, { signal }),
    placeholderData: noPlaceholder,
    enabled: isCountable,
  });
  return { isCountable, preview: isCountable ? data : undefined, error };
}

/** Previews the whole: a sentence, the count, a few of those who match, and why somebody does or does not. */
export function ExpressionPreview({
  expression,
  found: { isCountable, preview, error },
  names,
}: {
  expression: Expression;
  found: ReturnType<typeof useExpressionPreview>;
  names: ExpressionNames;
}) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className="rounded-base border bg-surface">
      <header className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 border-b px-4 py-2 text-13">
        <h2 id={titleId}>Preview</h2>
        {error !== null && isCountable ? (
          <span className="text-red-ink">{errorText(error, 'Failed to fetch preview count')}</span>
        ) : (
          <span aria-live="polite" className="text-muted tabular-nums">
            {preview ? countText(preview) : isCountable ? '...' : 'Counted once each condition is complete'}
          </span>
        )}
      </header>
      <p className="border-b px-4 py-3 text-13 text-pretty wrap-anywhere">
        <span className="text-muted">In words: </span>
        {isWhole(expression) ? `${expressionWords(expression, names)}.` : '…'}
      </p>
      <Sample expression={expression} sample={preview?.sample ?? []} names={names} />
      {isWhole(expression) && (
        <>
          <NearlyInIt key={JSON.stringify(expression)} expression={expression} names={names} />
          <CheckSomebody expression={expression} names={names} />
        </>
      )}
    </section>
  );
}

function countText({ total, ...counted }: Counted & { total: number }): string {
  return `Matches ${countedText(counted)} of ${total.toLocaleString('en')} ${total === 1 ? 'profile' : 'profiles'}`;
}

type SampleProps = { expression: Expression; sample: readonly SegmentMember[]; names: ExpressionNames };

function Sample({ expression, sample, names }: SampleProps) {
  if (sample.length === 0) return null;
  return (
    <ul aria-label="Some of them" className="grid gap-1 py-1.5 text-13">
      {sample.map(({ id, phone, name }) => (
        <ExplainedPerson key={id} member={{ id, phone, name }} expression={expression} names={names} />
      ))}
    </ul>
  );
}

function CheckSomebody({ expression, names }: Omit<SampleProps, 'sample'>) {
  const [typed, setTyped] = useState('');
  const digits = useDebounced(typed.replaceAll(/\D/g, ''), pauseMs);
  const { data } = useQuery({
    queryKey: [...queryKeys.profiles, 'of-number', digits],
    queryFn: ({ signal }) =>
      callApi('GET /api/profiles', { query: { search: digits, page: 1, pageSize: 1 } }, { signal }),
    placeholderData: noPlaceholder,
    enabled: digits.length >= 5,
  });
  const person = digits.length >= 5 ? data?.data[0] : undefined;
  return (
    <div className="grid gap-2 border-t px-4 py-3 text-13">
      <Field label="Is somebody in it, and why?">
        {(control) => (
          <PersonInput {...control} value={typed} onChange={setTyped} placeholder="Name or number of a profile" />
        )}
      </Field>
      {digits.length >= 5 && data?.data.length === 0 && <p className="text-muted">No profile has this number.</p>}
      {person && (
        <>
          <p>
            <bdi>{person.name ?? `+${person.phone}`}</bdi>
          </p>
          <Explanation expression={expression} profileId={person.id} names={names} />
        </>
      )}
    </div>
  );
}
