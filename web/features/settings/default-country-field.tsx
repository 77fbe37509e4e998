import { useState } from 'react';
import { useController, type FieldPath, type FieldValues } from 'react-hook-form';
import { Field } from '#web/shared/form/field.tsx';
import { Picker } from '#web/shared/form/picker.tsx';
import { SearchList } from '#web/shared/form/search-list.tsx';
import { useFieldError, type FormOf } from '#web/shared/form/use-zod-form.ts';
import { countryName } from '#web/shared/number-field/country-name.ts';
import { useCountryOptions } from '#web/shared/number-field/use-country-options.tsx';

const none = 'none';

/** The country whose national numbers need no calling code here. */
export function DefaultCountryField<T extends FieldValues>({ form, name }: { form: FormOf<T>; name: FieldPath<T> }) {
  const { field } = useController({ control: form.control, name });
  const error = useFieldError(form, name);
  const country: string | null = field.value;
  const [search, setSearch] = useState('');
  const countries = useCountryOptions(search, country);
  const options = search === '' ? [{ value: none, label: 'No country' }, ...countries] : countries;
  return (
    <Field
      label="Default country"
      hint="Numbers without + are read as they are dialled here, where they are not complete."
      error={error}
    >
      {(control) => (
        <Picker
          {...control}
          ref={field.ref}
          value={country === null ? undefined : countryName(country)}
          placeholder="No country"
          onBlur={field.onBlur}
        >
          {(close) => (
            <SearchList
              label="Countries"
              search={search}
              onSearch={setSearch}
              options={options}
              chosen={[country ?? none]}
              onChoose={({ value }) => {
                field.onChange(value === none ? null : value);
                setSearch('');
                close();
              }}
            />
          )}
        </Picker>
      )}
    </Field>
  );
}
