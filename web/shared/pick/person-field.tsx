import { useController, type FieldPath, type FieldValues } from 'react-hook-form';
import { Field, type FieldTexts } from '../form/field.tsx';
import { useFieldError, type FormOf } from '../form/use-zod-form.ts';
import { PersonInput, type PersonInputProps } from './person-input.tsx';

type PersonFieldProps<T extends FieldValues> = FieldTexts &
  Pick<PersonInputProps, 'placeholder' | 'required'> & {
    form: FormOf<T>;
    name: FieldPath<T>;
  };

/** A number in a form: typed, or found among the account's profiles. */
export function PersonField<T extends FieldValues>(props: PersonFieldProps<T>) {
  const { form, name, placeholder, required, ...texts } = props;
  const { field } = useController({ control: form.control, name });
  const error = useFieldError(form, name);
  return (
    <Field {...texts} error={error}>
      {(control) => (
        <PersonInput
          {...control}
          ref={field.ref}
          name={field.name}
          placeholder={placeholder}
          required={required}
          value={String(field.value)}
          onChange={field.onChange}
          onBlur={field.onBlur}
        />
      )}
    </Field>
  );
}
