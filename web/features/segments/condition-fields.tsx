import { useId } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { SegmentCondition, type SegmentOperator } from '#contracts/conditions.ts';
import { NewSegment } from '#contracts/segments.ts';
import { needsValue, operatorLabels } from '#web/shared/conditions/condition-words.ts';
import { FieldPathField } from '#web/shared/conditions/field-path-field.tsx';
import { FieldValueField } from '#web/shared/conditions/field-value-field.tsx';
import { Select } from '#web/shared/form/select.tsx';
import type { FormOf } from '#web/shared/form/use-zod-form.ts';

/** A segment of one condition. */
export const ConditionSegment = z.object({ name: NewSegment.shape.name, condition: SegmentCondition });
export type ConditionSegment = z.output<typeof ConditionSegment>;

export type SegmentForm = FormOf<z.input<typeof ConditionSegment>>;

const operators: readonly SegmentOperator[] = ['equals', 'not_equals', 'exists', 'not_exists'];

export function ConditionFields({ form }: { form: SegmentForm }) {
  const hintId = useId();
  const operator = useWatch({ control: form.control, name: 'condition.operator' });
  const takesValue = needsValue(operator);
  return (
    <fieldset aria-describedby={hintId} className="min-w-0">
      <legend className="mb-2 text-13 font-semibold">Condition</legend>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-3 gap-y-4 sm:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)_minmax(0,1fr)]">
        <FieldPathField form={form} name="condition.fieldPath" label="Field Path" />
        <Select
          form={form}
          name="condition.operator"
          label="Operator"
          options={operators.map((value) => ({ value, label: operatorLabels[value] }))}
        />
        <FieldValueField
          form={form}
          name="condition.value"
          pathName="condition.fieldPath"
          label="Value"
          placeholder={takesValue ? undefined : 'No value needed'}
          disabled={!takesValue}
        />
      </div>
      <p id={hintId} className="mt-1.5 text-13 text-muted">
        Use true/false/strings/numbers as needed.
      </p>
    </fieldset>
  );
}
