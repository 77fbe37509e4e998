import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { operatorsOfType, type FieldType } from '#contracts/field-types.ts';
import type { Field } from '#contracts/fields.ts';
import { parseFieldPath } from '#contracts/field-path.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { fieldLabel } from '#web/shared/conditions/expression-words.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';
import { useDebounced } from '#web/shared/use-debounced.ts';
import { operatorGroups } from './operator-choices.ts';

const pauseMs = 300;
const maxSearchLength = 100;
const whileBuildingMs = 5_000;

const types: readonly { value: FieldType | ''; label: string }[] = [
  { value: '', label: 'as they come' },
  { value: 'text', label: 'as text' },
  { value: 'number', label: 'as numbers' },
  { value: 'date', label: 'as dates' },
  { value: 'boolean', label: 'as yes or no' },
  { value: 'list', label: 'as lists' },
];

/** The custom field at a path, with its type; undefined where no profile has it, and for columns. */
export function useTypedField(path: string) {
  const asked = useDebounced(path, pauseMs);
  const { data } = useQuery({
    queryKey: [...queryKeys.profileFields, 'typed', asked],
    queryFn: ({ signal }) =>
      callApi('GET /api/fields', { query: { search: asked.slice(0, maxSearchLength), limit: 100 } }, { signal }),
    enabled: parseFieldPath(asked)?.kind === 'custom',
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some((field) => field.state === 'building') ? whileBuildingMs : false,
  });
  return data?.data.find((field) => field.path === path && field.path.startsWith('custom_fields.'));
}

/** The operators that a field takes; all of them without a type. */
export function operatorsFor(type: FieldType | null | undefined): typeof operatorGroups {
  if (!type) return operatorGroups;
  const known: readonly string[] = operatorsOfType[type];
  return operatorGroups
    .map(({ label, choices }) => ({ label, choices: choices.filter(({ op }) => known.includes(op)) }))
    .filter(({ choices }) => choices.length > 0);
}

/** Sets how the values of a field are read, in every expression of the account at once. */
export function FieldReading({ field }: { field: Pick<Field, 'path' | 'label' | 'type' | 'state'> }) {
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: (type: FieldType | null) =>
      callApi('PUT /api/fields/{path}', { params: { path: field.path }, body: { type } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: queryKeys.profileFields });
      await queryClient.invalidateQueries({ queryKey: queryKeys.segments });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to save the type of the field')),
  });
  return (
    <label className="flex flex-wrap items-center gap-2 text-12 text-muted">
      <span>{`${field.label ?? fieldLabel(field.path)}: all segments read its values`}</span>
      <SelectInput
        size="small"
        value={save.isPending ? (save.variables ?? '') : (field.type ?? '')}
        busy={save.isPending}
        options={types}
        onChange={(event) => save.mutate(types.find(({ value }) => value === event.target.value)?.value || null)}
        className="w-32"
      />
      {field.state === 'building' && <span role="status">Still being indexed: counts are right, only slower.</span>}
    </label>
  );
}
