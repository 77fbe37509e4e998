import { CircleAlert } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { useFieldArray } from 'react-hook-form';
import { useFieldError } from '#web/shared/form/use-zod-form.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { ConditionRow } from './condition-row.tsx';
import { newCondition, type FlowForm } from './flow-form.ts';

export function ConditionRows({ form }: { form: FlowForm }) {
  const errorId = useId();
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'conditions' });
  const error = useFieldError(form, 'conditions');
  const focusNext = useRef<number>(undefined);
  // A removed row takes the focus with it: the row that follows gets it, else the last one.
  useEffect(() => {
    if (focusNext.current === undefined) return;
    form.setFocus(`conditions.${Math.min(focusNext.current, fields.length - 1)}.fieldPath`);
    focusNext.current = undefined;
  }, [fields.length, form]);

  function handleRemove(index: number): void {
    focusNext.current = index;
    remove(index);
  }

  return (
    <fieldset aria-describedby={error === undefined ? undefined : errorId} className="min-w-0">
      <legend className="mb-1.5 text-13 font-medium">Conditions (ALL must match)</legend>
      <div className="rounded-base border bg-surface">
        {fields.map(({ id }, index) => (
          <ConditionRow
            key={id}
            form={form}
            index={index}
            onRemove={fields.length > 1 ? () => handleRemove(index) : undefined}
          />
        ))}
        <div className="rounded-b-base bg-sunken p-1.5">
          <Button variant="ghost" size="small" onClick={() => append(newCondition)}>
            + Add Condition
          </Button>
        </div>
      </div>
      {error !== undefined && (
        <p id={errorId} role="alert" className="mt-1.5 flex gap-1.5 text-13 text-red-ink">
          <CircleAlert aria-hidden="true" className="mt-0.75 size-3.5 shrink-0" />
          {error}
        </p>
      )}
    </fieldset>
  );
}
