import { useWatch } from 'react-hook-form';
import { FieldPathField } from '#web/shared/conditions/field-path-field.tsx';
import { Select } from '#web/shared/form/select.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import type { FlowForm } from './flow-form.ts';
import { UnitField } from './unit-field.tsx';

const units = [
  { value: 'minutes', label: 'minutes' },
  { value: 'hours', label: 'hours' },
  { value: 'days', label: 'days' },
];

const frequencies = [
  { value: 'lifetime', label: 'once in a lifetime' },
  { value: 'once_per_hours', label: 'once per N hours' },
  { value: 'once_per_days', label: 'once per N days' },
];

/** How recent a date has to be, and how often one profile gets the message: the end of the sentence. */
export function TimingFields({ form, hasDuration = true }: { form: FlowForm; hasDuration?: boolean }) {
  const frequency = useWatch({ control: form.control, name: 'frequency.type' });
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-13 font-medium">Timing</legend>
      <div className="grid gap-2 text-muted">
        <div className="flex flex-wrap gap-2" hidden={!hasDuration}>
          <Word>and</Word>
          <FieldPathField
            form={form}
            name="duration.dateFieldPath"
            label="Date field"
            quietLabel
            onlyTimes
            className="w-52"
          />
          <Word>is within the last</Word>
          <TextField
            form={form}
            name="duration.amount"
            label="Duration"
            quietLabel
            type="number"
            inputMode="numeric"
            min={1}
            step={1}
            autoComplete="off"
            className="w-18 has-[[aria-invalid=true]]:w-46"
          />
          <Select form={form} name="duration.unit" label="Unit" quietLabel options={units} className="w-28" />
        </div>
        <div className="flex flex-wrap gap-2">
          <Word>send to each of them at most</Word>
          <Select
            form={form}
            name="frequency.type"
            label="Frequency"
            quietLabel
            options={frequencies}
            className="w-46"
          />
          {frequency === 'once_per_hours' && (
            <UnitField key="hours" form={form} name="frequency.value" unit="Hours" className="w-30" />
          )}
          {frequency === 'once_per_days' && (
            <UnitField key="days" form={form} name="frequency.value" unit="Days" className="w-30" />
          )}
        </div>
      </div>
    </fieldset>
  );
}

function Word({ children }: { children: string }) {
  return <span className="flex h-(--control) items-center">{children}</span>;
}
