import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useController, useWatch, type FieldPath, type FieldValues } from 'react-hook-form';
import type { ProfileFieldValue } from '#contracts/profiles.ts';
import { parseFieldPath } from '#contracts/field-path.ts';
import { callApi } from '../api.ts';
import { Combobox } from '../form/combobox.tsx';
import { Field, type FieldTexts } from '../form/field.tsx';
import { useFieldError, type FormOf } from '../form/use-zod-form.ts';
import { queryKeys } from '../queries.ts';
import { useDebounced } from '../use-debounced.ts';
import { hasPart } from '#web/shared/fold-text.ts';

const pauseMs = 150;
const maxSearchLength = 100;

export function fieldValuesQuery(path: string, search: string) {
  return queryOptions({
    queryKey: [...queryKeys.profileFields, 'values', path, search],
    queryFn: async ({ signal }) =>
      (await callApi('GET /api/profile-fields/values', { query: { path, search } }, { signal })).data,
    // Suggestions of the same field stay while the user types; another field's would mislead.
    placeholderData: (previous, query) => (query?.queryKey[2] === path ? keepPreviousData(previous) : undefined),
  });
}

type FieldValueFieldProps<T extends FieldValues> = FieldTexts & {
  form: FormOf<T>;
  name: FieldPath<T>;
  /** Where the form keeps the path of the field that is compared. */
  pathName: FieldPath<T>;
  disabled?: boolean;
  placeholder?: string | undefined;
};

/** The value that a field is compared with; suggests the values that profiles have, with how many have them. */
export function FieldValueField<T extends FieldValues>(props: FieldValueFieldProps<T>) {
  const { form, name, pathName, disabled = false, placeholder, ...texts } = props;
  const { field } = useController({ control: form.control, name });
  const error = useFieldError(form, name);
  const path = String(useWatch({ control: form.control, name: pathName })).trim();
  const [isVisited, setVisited] = useState(false);
  const [search, setSearch] = useState('');
  const asked = useDebounced(search.trim().slice(0, maxSearchLength), pauseMs);
  const isAskable = isVisited && !disabled && parseFieldPath(path) !== undefined;
  const { data: values = [] } = useQuery({ ...fieldValuesQuery(path, asked), enabled: isAskable });
  return (
    <Field {...texts} error={error}>
      {(control) => (
        <Combobox
          {...control}
          ref={field.ref}
          name={field.name}
          disabled={disabled}
          placeholder={placeholder}
          value={field.value}
          onChange={(value) => {
            field.onChange(value);
            setSearch(value);
          }}
          onFocus={() => {
            setVisited(true);
            setSearch('');
          }}
          onBlur={field.onBlur}
          match={search.trim()}
          suggestions={values
            .filter(({ value }) => hasPart(value, search))
            .map((known) => ({ value: known.value, aside: describe(known) }))}
          suggestionsLabel="Values"
        />
      )}
    </Field>
  );
}

function describe({ profiles }: ProfileFieldValue): string {
  return profiles === 1 ? '1 profile' : `${profiles.toLocaleString('en')} profiles`;
}
