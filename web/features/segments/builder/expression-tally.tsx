import { expressionWords, type ExpressionNames } from '#web/shared/conditions/expression-words.ts';
import { countedText } from '#web/shared/counted.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { expressionOfDraft, placedItems } from '#web/shared/builder/draft.ts';
import type { GroupDraft } from '#web/shared/builder/draft.ts';
import { isWhole } from '#web/shared/builder/expression-preview.tsx';
import type { useExpressionPreview } from '#web/shared/builder/expression-preview.tsx';

type ExpressionTallyProps = {
  draft: GroupDraft;
  found: ReturnType<typeof useExpressionPreview>;
  names: ExpressionNames;
};

/** How many the whole matches, and each of its conditions by itself. */
export function ExpressionTally({ draft, found: { preview }, names }: ExpressionTallyProps) {
  const share = preview && preview.total > 0 ? (100 * preview.count) / preview.total : 0;
  return (
    <Card title="How many">
      <p aria-live="polite" className="mb-3">
        <span className="text-28 font-semibold tabular-nums">{preview ? countedText(preview) : '–'}</span>
        {preview && (
          <span className="block text-13 text-muted tabular-nums">
            of {preview.total.toLocaleString('en')} {preview.total === 1 ? 'person' : 'people'}, {share.toFixed(1)} %
          </span>
        )}
      </p>
      <ol aria-label="Each condition by itself" className="grid grid-cols-[minmax(0,1fr)] gap-3 text-13">
        {placedItems(draft, 'expression').map(({ draft: item, path }) => {
          const line = preview?.lines.find((each) => each.path === path);
          const expression = expressionOfDraft(item);
          return (
            <li key={item.id} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1">
              <span className="flex justify-between gap-3">
                <span className="line-clamp-2 min-w-0">
                  {isWhole(expression) ? expressionWords(expression, names) : '…'}
                </span>
                <span className="tabular-nums">
                  {line ? countedText(line) : preview && isWhole(expression) ? 'not counted' : ''}
                </span>
              </span>
              <span aria-hidden="true" className="block h-1 overflow-hidden rounded-full bg-gray-wash">
                <span
                  className="block h-full bg-accent"
                  style={{ width: `${preview && preview.total > 0 ? (100 * (line?.count ?? 0)) / preview.total : 0}%` }}
                />
              </span>
            </li>
          );
        })}
      </ol>
      <p className="mt-3 text-12 text-muted">A bar is the part of all people who match the condition by itself.</p>
    </Card>
  );
}
