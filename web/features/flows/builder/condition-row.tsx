import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { operatorGroups, operatorLabels, valueKind } from '#web/shared/conditions/condition-words.ts';
import { FieldPathField } from '#web/shared/conditions/field-path-field.tsx';
import { FieldValueField } from '#web/shared/conditions/field-value-field.tsx';
import { Select } from '#web/shared/form/select.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import type { FlowForm } from './flow-form.ts';
import { UnitField } from './unit-field.tsx';

const operatorOptions = operatorGroups.map(({ label, operators }) => ({
  label,
  options: operators.map((value) => ({ value, label: operatorLabels[value] })),
}));

type ConditionRowProps = {
  form: FlowForm;
  index: number;
  /** Undefined for the only one, which stays. */
  onRemove: (() => void) | undefined;
};

/** A condition, as a part of the sentence that the rows make. */
export function ConditionRow({ form, index, onRemove }: ConditionRowProps) {
  return (
    <div
      role="group"
      aria-label={`Condition ${index + 1}`}
      className="grid grid-cols-[2.5rem_minmax(0,1fr)_2rem] gap-2 border-b py-2.5 pr-2 pl-3.5 sm:grid-cols-[2.5rem_minmax(0,2.2fr)_minmax(0,1.65fr)_minmax(0,1.05fr)_1.75rem]"
    >
      <span
        className={clsx(
          'flex h-(--control) items-center text-13 font-medium',
          index === 0 ? 'text-muted' : 'text-accent-ink',
        )}
      >
        {index === 0 ? 'When' : 'AND'}
      </span>
      <FieldPathField form={form} name={`conditions.${index}.fieldPath`} label="Field path" quietLabel />
      <Select
        form={form}
        name={`conditions.${index}.operator`}
        label="Operator"
        quietLabel
        options={operatorOptions}
        className="max-sm:col-start-2"
      />
      <div className="min-w-0 max-sm:col-start-2">
        <ConditionValue form={form} index={index} />
      </div>
      {onRemove !== undefined && (
        <div className="flex h-(--control) items-center max-sm:col-start-3 max-sm:row-start-1">
          <IconButton
            label="Remove condition"
            size="small"
            icon={<X aria-hidden="true" className="size-4" />}
            onClick={onRemove}
          />
        </div>
      )}
    </div>
  );
}

function ConditionValue({ form, index }: { form: FlowForm; index: number }) {
  const name = `conditions.${index}.value` as const;
  const operator = useWatch({ control: form.control, name: `conditions.${index}.operator` });
  switch (valueKind(operator)) {
    case 'none':
      return <p className="flex h-(--control) items-center text-13 text-muted">No value needed</p>;
    case 'text':
      return (
        <FieldValueField
          key="text"
          form={form}
          name={name}
          pathName={`conditions.${index}.fieldPath`}
          label="Value"
          quietLabel
          placeholder="Value"
        />
      );
    case 'hours':
      return <UnitField key="time" form={form} name={name} unit="Hours" fractional />;
    case 'days':
      return <UnitField key="time" form={form} name={name} unit="Days" fractional />;
  }
}
