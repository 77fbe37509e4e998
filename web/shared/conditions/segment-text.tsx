import type { Segment } from '#contracts/segments.ts';
import { ConditionText } from './condition-text.tsx';
import { expressionWords } from './expression-words.ts';
import { useExpressionNames } from './use-expression-names.ts';

/** Describes the members of a segment: its condition, or the sentence that its expression makes. */
export function SegmentText({ segment: { condition, expression } }: { segment: Segment }) {
  const names = useExpressionNames(condition ? null : expression);
  if (condition) return <ConditionText condition={condition} />;
  if (expression === null) return null;
  const words = expressionWords(expression, names);
  return (
    <span
      dir="auto"
      title={words}
      className="block truncate text-left text-13 max-[720px]:whitespace-normal max-[720px]:wrap-anywhere"
    >
      {words}
    </span>
  );
}
