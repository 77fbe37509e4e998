import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import type { ColumnType } from '#contracts/column-types.ts';
import { customFieldPath } from '#contracts/field-path.ts';
import { controlClass } from '#web/shared/form/control-class.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { topicsQuery } from '#web/shared/topics/topics-query.ts';
import { columnTypeLabels, customField, customFieldName, isCustomField, profileFieldLabels } from './import-plan.ts';

const leftOut = '';
const custom = 'custom';

const options = [
  { value: leftOut, label: 'Leave out' },
  ...[...profileFieldLabels].map(([value, label]) => ({ value, label })),
  { value: custom, label: 'Custom field' },
];

/** Columns of yes and no, that opt into topics or out of them. */
function useTopicOptions() {
  const { data: topics = [] } = useQuery(topicsQuery());
  return topics.map(({ id, name }) => ({ value: `topics.${id}`, label: `Consent: ${name}` }));
}

const typeOptions = [...columnTypeLabels].map(([value, label]) => ({ value, label }));

/** `Shop name` → `shop_name` */
function fieldNameOf(header: string): string {
  return header
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '_');
}

type ColumnTargetProps = {
  header: string;
  field: string | null;
  type: ColumnType;
  onField: (field: string | null) => void;
  onType: (type: ColumnType) => void;
};

/** Where one column goes; a custom field has a name and a type. */
export function ColumnTarget({ header, field, type, onField, onType }: ColumnTargetProps) {
  const topicOptions = useTopicOptions();

  function choose(value: string): void {
    if (value === custom) onField(customFieldPath([fieldNameOf(header)]));
    else onField(value === leftOut ? null : value);
  }

  return (
    <div className="flex min-w-0 flex-wrap gap-2">
      <SelectInput
        aria-label={`Where ${header} goes`}
        options={[...options, ...topicOptions]}
        value={isCustomField(field) ? custom : (field ?? leftOut)}
        onChange={({ target }) => choose(target.value)}
        className="flex-1 basis-28"
      />
      {isCustomField(field) && (
        <>
          <input
            aria-label={`Custom field for ${header}`}
            value={customFieldName(field)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={480}
            onChange={({ target }) => onField(customField(target.value))}
            className={clsx(controlClass, 'h-(--control) min-w-0 flex-1 basis-28 px-3 font-mono text-13')}
          />
          <SelectInput
            aria-label={`Type of ${header}`}
            options={typeOptions}
            value={type}
            onChange={({ target }) => onType(target.value as ColumnType)}
            className="flex-1 basis-40"
          />
        </>
      )}
    </div>
  );
}
