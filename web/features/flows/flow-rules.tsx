import { Fragment } from 'react';
import type { Flow } from '#contracts/flows.ts';
import { conditionParts } from '#web/shared/conditions/condition-words.ts';
import { expressionWords } from '#web/shared/conditions/expression-words.ts';
import { useExpressionNames } from '#web/shared/conditions/use-expression-names.ts';
import { useFieldNames } from '#web/shared/conditions/use-field-names.ts';
import { flowFields } from './builder/flow-form.ts';
import { durationText, rulesText } from './flow-sentence.ts';

const codeClass = 'rounded-[5px] bg-gray-wash box-decoration-clone px-1.5 py-px text-12';

/** Whom a flow looks for, in a sentence of a few lines at the most; all of it in the title. */
export function FlowRules({ flow }: { flow: Flow }) {
  const { conditions, duration } = flowFields(flow);
  const names = useExpressionNames(flow.expression);
  const nameOf = useFieldNames([...conditions.map(({ fieldPath }) => fieldPath), duration.dateFieldPath]);
  const dateField = nameOf(duration.dateFieldPath) ?? duration.dateFieldPath;
  if (flow.expression !== null) {
    const words = expressionWords(flow.expression, names);
    return (
      <span title={words} className="line-clamp-3 text-13 leading-5.5 whitespace-normal wrap-anywhere">
        {words}
        {flow.duration !== null && ` and ${dateField} is within ${durationText(duration)}`}
      </span>
    );
  }
  return (
    <span
      title={rulesText({ conditions, duration }, nameOf)}
      className="line-clamp-3 text-13 leading-5.5 xl:line-clamp-2 whitespace-normal wrap-anywhere"
    >
      {conditions.map((condition, index) => {
        const { path, words, value } = conditionParts(condition);
        return (
          <Fragment key={index}>
            {index > 0 && <span className="text-muted"> and </span>}
            {nameOf(path) === undefined ? (
              <code className={codeClass}>{path}</code>
            ) : (
              <bdi title={path}>{nameOf(path)}</bdi>
            )}
            <span className="text-muted"> {words} </span>
            {value !== undefined && <code className={codeClass}>{value}</code>}
          </Fragment>
        );
      })}
      <span className="text-muted">
        {' '}
        and {dateField} is within {durationText(duration)}
      </span>
    </span>
  );
}
