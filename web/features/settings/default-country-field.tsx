import { useController, type FieldPath, type FieldValues } from 'react-hook-form';
import { Field } from '#web/shared/form/field.tsx';
import { useFieldError, type FormOf } from '#web/shared/form/use-zod-form.ts';
import { CountrySelect } from '#web/shared/number-field/country-select.tsx';

/** The country whose national numbers need no calling code here. */
export function DefaultCountryField<T extends FieldValues>({ form, name }: { form: FormOf<T>; name: FieldPath<T> }) {
  const { field } = useController({ control: form.control, name });
  const error = useFieldError(form, name);
  return (
    <Field
      label="Default country"
      hint="Numbers without + are read as they are dialled here, where they are not complete."
      error={error}
    >
      {(control) => (
        <CountrySelect
          {...control}
          ref={field.ref}
          country={field.value}
          none="No country"
          onBlur={field.onBlur}
          onCountry={field.onChange}
        />
      )}
    </Field>
  );
}
