import { useQuery } from '@tanstack/react-query';
import type { CapPriority, WhenCapped } from '#contracts/caps.ts';
import { Field } from '../form/field.tsx';
import { SelectInput } from '../form/select-input.tsx';
import { capsQuery } from './caps-query.ts';
import { changedCaps, usualCaps, type CapValue } from './cap-value.ts';

type CapChoiceProps = { value: CapValue; onChange: (value: CapValue) => void; disabled?: boolean };

/** Choices for people who have had as many messages as the caps allow; nothing where there are no caps. */
export function CapChoice({ value, onChange, disabled = false }: CapChoiceProps) {
  const { data: caps = [] } = useQuery(capsQuery());
  const isUsual = Object.keys(changedCaps(value, usualCaps)).length === 0;
  if (caps.length === 0 && isUsual) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
      <Field label="Whoever has had as many messages as allowed" hint="The caps are set in the settings.">
        {(control) => (
          <SelectInput
            {...control}
            value={value.when_capped}
            disabled={disabled}
            options={[
              { value: 'skip', label: 'is skipped' },
              { value: 'wait', label: 'waits for another day' },
            ]}
            onChange={({ target }) => onChange({ ...value, when_capped: target.value as WhenCapped })}
          />
        )}
      </Field>
      <Field label="Priority" hint="Which goes first where there is room for one message.">
        {(control) => (
          <SelectInput
            {...control}
            value={value.priority}
            disabled={disabled}
            options={[
              { value: 'high', label: 'High' },
              { value: 'normal', label: 'Normal' },
              { value: 'low', label: 'Low' },
            ]}
            onChange={({ target }) => onChange({ ...value, priority: target.value as CapPriority })}
          />
        )}
      </Field>
    </div>
  );
}
