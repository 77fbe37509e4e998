import { useController, type FieldPath, type FieldValues } from 'react-hook-form';
import { Field } from '#web/shared/form/field.tsx';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { useFieldError, type FormOf } from '#web/shared/form/use-zod-form.ts';
import { languageName } from '#web/shared/whatsapp-template/template-words.ts';

/** Languages of the opt-out words; any other comes from the browser, or by the API. */
const offered = ['en', 'pt', 'es', 'fr', 'de', 'it', 'id', 'tr', 'ar', 'hi', 'ru'];

/** The person's language, as a tag; null where nobody has chosen one. */
export function LanguageField<T extends FieldValues>({ form, name }: { form: FormOf<T>; name: FieldPath<T> }) {
  const { field } = useController({ control: form.control, name });
  const error = useFieldError(form, name);
  const value: string = field.value ?? '';
  const tags = value === '' || offered.includes(value) ? offered : [value, ...offered];
  return (
    <Field label="Language" hint="Yours. Pages and mails are in English so far." error={error}>
      {(control) => (
        <SelectInput
          {...control}
          {...field}
          value={value}
          placeholder={`As this browser: ${languageName(navigator.language)}`}
          options={tags.map((tag) => ({ value: tag, label: languageName(tag) }))}
          onChange={({ target }) => field.onChange(target.value === '' ? null : target.value)}
        />
      )}
    </Field>
  );
}
