import { useController, type FieldPath, type FieldValues } from 'react-hook-form';
import { Field, type FieldTexts } from '../form/field.tsx';
import { useFieldError, type FormOf } from '../form/use-zod-form.ts';
import { NumberInput } from './number-input.tsx';

type NumberFieldProps<T extends FieldValues> = FieldTexts &
  Pick<Parameters<typeof NumberInput>[0], 'placeholder' | 'required' | 'people' | 'country' | 'onCountry'> & {
    form: FormOf<T>;
    name: FieldPath<T>;
  };

/** A number in a form, read back before it is sent. */
export function NumberField<T extends FieldValues>(props: NumberFieldProps<T>) {
  const { form, name, placeholder, required, people, country, onCountry, ...texts } = props;
  const { field } = useController({ control: form.control, name });
  const error = useFieldError(form, name);
  return (
    <Field {...texts} error={error}>
      {(control) => (
        <NumberInput
          {...control}
          ref={field.ref}
          name={field.name}
          maxLength={60}
          placeholder={placeholder}
          required={required}
          people={people ?? false}
          country={country}
          onCountry={onCountry}
          value={String(field.value)}
          onChange={field.onChange}
          onBlur={field.onBlur}
        />
      )}
    </Field>
  );
}
