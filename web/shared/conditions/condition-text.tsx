import type { SegmentCondition } from '#contracts/conditions.ts';
import { needsValue, operatorLabels } from './condition-words.ts';
import { useFieldNames } from './use-field-names.ts';

const codeClass = 'rounded-[5px] bg-gray-wash px-1.5 py-px text-12';

/**
 * `custom_fields.plan` equals `trial`, on one line where there is room; the beginning of the path gives way first. A field
 * that people gave a name is called so.
 */
export function ConditionText({ condition: { fieldPath, operator, value } }: { condition: SegmentCondition }) {
  const name = useFieldNames([fieldPath])(fieldPath);
  const folder = fieldPath.slice(0, fieldPath.lastIndexOf('.') + 1);
  return (
    <span className="inline-flex max-w-full items-baseline gap-1.5 align-bottom text-13 whitespace-nowrap max-xl:flex-wrap max-xl:whitespace-normal">
      {name === undefined ? (
        <code title={fieldPath} className={`${codeClass} flex min-w-0`}>
          <span className="min-w-0 shrink-[99] truncate min-[720px]:max-xl:hidden">{folder}</span>
          <span className="min-w-0 truncate">{fieldPath.slice(folder.length)}</span>
        </code>
      ) : (
        <bdi title={fieldPath} className="min-w-0 truncate">
          {name}
        </bdi>
      )}
      <span className="text-muted">{operatorLabels[operator].toLowerCase()}</span>
      {needsValue(operator) && (
        <code title={value} className={`${codeClass} max-w-64 shrink-0 truncate`}>
          {value === '' ? '""' : value}
        </code>
      )}
    </span>
  );
}
