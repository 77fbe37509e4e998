import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useController, type FieldPath, type FieldValues } from 'react-hook-form';
import { callApi } from '../api.ts';
import { Combobox } from '../form/combobox.tsx';
import { Field, type FieldTexts } from '../form/field.tsx';
import { useFieldError, type FormOf } from '../form/use-zod-form.ts';
import { usePhoneFormat } from '../phone-format.ts';
import { queryKeys } from '../queries.ts';
import { useDebounced } from '../use-debounced.ts';

const pauseMs = 150;
const shownAtMost = 8;
const maxSearchLength = 100;

type PersonFieldProps<T extends FieldValues> = FieldTexts & {
  form: FormOf<T>;
  name: FieldPath<T>;
  placeholder?: string;
};

/** A number: typed, or found among the account's profiles by name, email or a part of it. */
export function PersonField<T extends FieldValues>({ form, name, placeholder, ...texts }: PersonFieldProps<T>) {
  const { field } = useController({ control: form.control, name });
  const error = useFieldError(form, name);
  const format = usePhoneFormat();
  const [isVisited, setVisited] = useState(false);
  const typed = String(field.value).trim().slice(0, maxSearchLength);
  const search = useDebounced(typed, pauseMs);
  const { data } = useQuery({
    queryKey: [...queryKeys.profiles, 'people', search],
    queryFn: ({ signal }) =>
      callApi('GET /api/profiles', { query: { search, page: 1, pageSize: shownAtMost } }, { signal }),
    enabled: isVisited,
  });
  return (
    <Field {...texts} error={error}>
      {(control) => (
        <Combobox
          {...control}
          ref={field.ref}
          name={field.name}
          placeholder={placeholder}
          maxLength={maxSearchLength}
          value={String(field.value)}
          onChange={field.onChange}
          onFocus={() => setVisited(true)}
          onBlur={field.onBlur}
          className="tabular-nums"
          match={typed}
          suggestions={(data?.data ?? []).map(({ phone, name: person }) => ({ value: format(phone), aside: person }))}
          suggestionsLabel="People"
        />
      )}
    </Field>
  );
}
