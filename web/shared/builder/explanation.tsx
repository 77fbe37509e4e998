import { useQuery } from '@tanstack/react-query';
import { Check, CircleHelp, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Expression } from '#contracts/expressions.ts';
import type { ExplainedNode, SegmentMember } from '#contracts/segments.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { expressionWords, type ExpressionNames } from '#web/shared/conditions/expression-words.ts';
import { FlaggedPhone } from '#web/shared/number-field/flagged-phone.tsx';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';

type ExplainedPersonProps = {
  member: Pick<SegmentMember, 'id' | 'phone' | 'name'>;
  expression: Expression;
  names: ExpressionNames;
  /** Under the number and the name. */
  children?: ReactNode;
};

/** A line of a list of people, with the reasons one click away. */
export function ExplainedPerson({ member: { id, phone, name }, expression, names, children }: ExplainedPersonProps) {
  const [isExplained, setExplained] = useState(false);
  return (
    <li className="grid gap-1 px-4 py-0.5">
      <div className="flex items-center justify-between gap-2 wrap-anywhere">
        <span className="min-w-0">
          <span className="inline-flex min-w-0 flex-wrap items-center gap-x-1.5">
            <FlaggedPhone digits={phone} />
            <span className="text-muted">— {name === null ? '-' : <bdi>{name}</bdi>}</span>
          </span>
          {children}
        </span>
        <Button size="small" aria-expanded={isExplained} onClick={() => setExplained(!isExplained)}>
          Why?
        </Button>
      </div>
      {isExplained && <Explanation expression={expression} profileId={id} names={names} />}
    </li>
  );
}

type ExplanationProps = { expression: Expression; profileId: number; names: ExpressionNames };

/** Each part of the expression with its answer for one profile, and what the profile has there. */
export function Explanation({ expression, profileId, names }: ExplanationProps) {
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
  const inner = negatedPart(node);
  if (!inner || 'message' in expression || !('not' in expression) || isCondition(inner)) return undefined;
  return { title: 'Not this', inner: [[inner, expression.not]] };
}

const negatedPart = (node: ExplainedNode) => (!('message' in node) && 'not' in node ? node.not : undefined);

const isCondition = (node: ExplainedNode) => !('all' in node || 'any' in node) && negatedPart(node) === undefined;

const pairs = (nodes: readonly ExplainedNode[], expressions: readonly Expression[]): [ExplainedNode, Expression][] =>
  nodes.flatMap((node, index): [ExplainedNode, Expression][] => {
    const expression = expressions[index];
    return expression ? [[node, expression]] : [];
  });

/** The value that a condition looked at; undefined where it says nothing to a person. */
function valueWords(node: ExplainedNode): string | undefined {
  const inner = negatedPart(node);
  if (inner) return isCondition(inner) ? valueWords(inner) : undefined;
  if ('event' in node) return node.value === 1 ? 'it was once' : `it was ${String(node.value)} times`;
  if ('message' in node) return typeof node.value === 'string' ? `the latest is ${node.value}` : 'nothing was sent';
  if (!('field' in node)) return undefined;
  const { value } = node;
  if (value === null || value === undefined || value === '') return 'nothing is there';
  return `has ${typeof value === 'string' ? `“${value}”` : JSON.stringify(value)}`;
}
