import { clsx } from 'clsx';
import { customFieldPath } from '#contracts/field-path.ts';
import { controlClass } from '#web/shared/form/control-class.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { customField, customFieldName, isCustomField, profileFieldLabels } from './import-plan.ts';

const leftOut = '';
const custom = 'custom';

const options = [
  { value: leftOut, label: 'Leave out' },
  ...[...profileFieldLabels].map(([value, label]) => ({ value, label })),
  { value: custom, label: 'Custom field' },
];

/** `Shop name` → `shop_name` */
function fieldNameOf(header: string): string {
  return header
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '_');
}

type ColumnTargetProps = { header: string; field: string | null; onField: (field: string | null) => void };

/** Where one column goes. */
export function ColumnTarget({ header, field, onField }: ColumnTargetProps) {
  function choose(value: string): void {
    if (value === custom) onField(customFieldPath([fieldNameOf(header)]));
    else onField(value === leftOut ? null : value);
  }

  return (
    <div className="flex min-w-0 gap-2">
      <SelectInput
        aria-label={`Where ${header} goes`}
        options={options}
        value={isCustomField(field) ? custom : (field ?? leftOut)}
        onChange={({ target }) => choose(target.value)}
        className="flex-1"
      />
      {isCustomField(field) && (
        <input
          aria-label={`Custom field for ${header}`}
          value={customFieldName(field)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={480}
          onChange={({ target }) => onField(customField(target.value))}
          className={clsx(controlClass, 'h-(--control) min-w-0 flex-1 px-3 font-mono text-13')}
        />
      )}
    </div>
  );
}
