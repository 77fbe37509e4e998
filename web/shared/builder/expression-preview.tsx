import { useQuery } from '@tanstack/react-query';
import { Check, CircleHelp, X } from 'lucide-react';
import { useId, useState } from 'react';
import { GivenExpression, type Expression } from '#contracts/expressions.ts';
import type { ExplainedNode, SegmentMember } from '#contracts/segments.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { expressionWords, type ExpressionNames } from '#web/shared/conditions/expression-words.ts';
import { Field } from '#web/shared/form/field.tsx';
import { FlaggedPhone } from '#web/shared/number-field/flagged-phone.tsx';
import { PersonInput } from '#web/shared/pick/person-input.tsx';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { useDebounced } from '#web/shared/use-debounced.ts';

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
      {isWhole(expression) && <CheckSomebody expression={expression} names={names} />}
    </section>
  );
}

function countText({ count, total }: { count: number; total: number }): string {
  return `Matches ${count.toLocaleString('en')} of ${total.toLocaleString('en')} ${total === 1 ? 'profile' : 'profiles'}`;
}

type SampleProps = { expression: Expression; sample: readonly SegmentMember[]; names: ExpressionNames };

function Sample({ expression, sample, names }: SampleProps) {
  const [explained, setExplained] = useState<number>();
  if (sample.length === 0) return null;
  return (
    <ul aria-label="Some of them" className="grid gap-1 py-1.5 text-13">
      {sample.map(({ id, phone, name }) => (
        <li key={id} className="grid gap-1 px-4 py-0.5">
          <div className="flex flex-wrap items-center justify-between gap-2 wrap-anywhere">
            <span className="inline-flex min-w-0 flex-wrap items-center gap-x-1.5">
              <FlaggedPhone digits={phone} />
              <span className="text-muted">— {name === null ? '-' : <bdi>{name}</bdi>}</span>
            </span>
            <Button
              size="small"
              aria-expanded={explained === id}
              onClick={() => setExplained(explained === id ? undefined : id)}
            >
              Why?
            </Button>
          </div>
          {explained === id && <Explanation expression={expression} profileId={id} names={names} />}
        </li>
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

type ExplanationProps = { expression: Expression; profileId: number; names: ExpressionNames };

function Explanation({ expression, profileId, names }: ExplanationProps) {
  const { data, error } = useQuery({
    queryKey: [...queryKeys.segments, 'explain', profileId, expression],
    queryFn: ({ signal }) =>
      callApi('POST /api/segments/explain', { body: { expression, profile_id: profileId } }, { signal }),
    placeholderData: noPlaceholder,
  });
  if (error !== null) return <p className="text-red-ink">{errorText(error, 'Failed to explain')}</p>;
  if (!data) return <p className="text-muted">...</p>;
  return (
    <ul className="grid gap-1 pb-1">
      <Explained node={data.tree} expression={expression} names={names} />
    </ul>
  );
}

type ExplainedProps = { node: ExplainedNode; expression: Expression; names: ExpressionNames };

const answers = {
  true: { icon: <Check aria-label="Yes" className="mt-0.5 size-3.5 shrink-0 text-green-ink" /> },
  false: { icon: <X aria-label="No" className="mt-0.5 size-3.5 shrink-0 text-red-ink" /> },
  null: { icon: <CircleHelp aria-label="Cannot be read" className="mt-0.5 size-3.5 shrink-0 text-yellow-ink" /> },
};

function Explained({ node, expression, names }: ExplainedProps) {
  const { icon } = answers[String(node.matches) as keyof typeof answers];
  const parts = partsOf(node, expression);
  const words = parts ? parts.title : expressionWords(expression, names);
  const value = valueWords(node);
  return (
    <li className="grid gap-1">
      <span className="flex gap-1.5 wrap-anywhere">
        {icon}
        <span className="min-w-0">
          {words}
          {value !== undefined && <span className="text-muted"> — {value}</span>}
        </span>
      </span>
      {parts && (
        <ul className="grid gap-1 pl-5">
          {parts.inner.map(([inner, of], index) => (
            <Explained key={String(index)} node={inner} expression={of} names={names} />
          ))}
        </ul>
      )}
    </li>
  );
}

type Parts = { title: string; inner: readonly [ExplainedNode, Expression][] };

/** The parts of a group; undefined for a condition. */
function partsOf(node: ExplainedNode, expression: Expression): Parts | undefined {
  if ('all' in node && 'all' in expression) return { title: 'All of these', inner: pairs(node.all, expression.all) };
  if ('any' in node && 'any' in expression)
    return { title: 'At least one of these', inner: pairs(node.any, expression.any) };
  if ('message' in node || !('not' in node) || 'message' in expression || !('not' in expression)) return undefined;
  return { title: 'Not this', inner: [[node.not, expression.not]] };
}

const pairs = (nodes: readonly ExplainedNode[], expressions: readonly Expression[]): [ExplainedNode, Expression][] =>
  nodes.flatMap((node, index): [ExplainedNode, Expression][] => {
    const expression = expressions[index];
    return expression ? [[node, expression]] : [];
  });

/** The value that a condition looked at; undefined where it says nothing to a person. */
function valueWords(node: ExplainedNode): string | undefined {
  if ('message' in node) return typeof node.value === 'string' ? `the latest is ${node.value}` : 'nothing was sent';
  if (!('field' in node)) return undefined;
  const { value } = node;
  if (value === null || value === undefined || value === '') return 'nothing is there';
  return `has ${typeof value === 'string' ? `“${value}”` : JSON.stringify(value)}`;
}
