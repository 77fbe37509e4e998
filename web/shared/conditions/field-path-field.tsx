import { useState } from 'react';
import { useController, type FieldPath, type FieldValues } from 'react-hook-form';
import type { ProfileField } from '#contracts/profiles.ts';
import { Combobox } from '../form/combobox.tsx';
import { Field, type FieldTexts } from '../form/field.tsx';
import { useFieldError, type FormOf } from '../form/use-zod-form.ts';
import { useProfileFields } from '../template/profile-fields.ts';
import { useDebounced } from '../use-debounced.ts';
import { hasPart } from '#web/shared/fold-text.ts';

const pauseMs = 150;

type FieldPathFieldProps<T extends FieldValues> = FieldTexts & {
  form: FormOf<T>;
  name: FieldPath<T>;
  /** Suggests only what holds times. */
  onlyTimes?: boolean;
  className?: string;
};

/** Names a field of the account's profiles; suggests those that exist, with what they hold. */
export function FieldPathField<T extends FieldValues>(props: FieldPathFieldProps<T>) {
  const { form, name, onlyTimes = false, className, ...texts } = props;
  const { field } = useController({ control: form.control, name });
  const error = useFieldError(form, name);
  const [search, setSearch] = useState('');
  const fields = useProfileFields(useDebounced(search.trim(), pauseMs));
  return (
    <Field {...texts} error={error} className={className}>
      {(control) => (
        <Combobox
          {...control}
          ref={field.ref}
          name={field.name}
          value={field.value}
          onChange={(path) => {
            field.onChange(path);
            setSearch(path);
          }}
          onFocus={() => setSearch('')}
          onBlur={field.onBlur}
          match={search.trim()}
          suggestions={fields
            .filter(({ path }) => hasPart(path, search))
            .filter(({ types }) => !onlyTimes || types.includes('time'))
            .map((suggested) => ({ value: suggested.path, aside: describe(suggested) }))}
          suggestionsLabel="Fields"
          placeholder="custom_fields.installed"
          className="font-mono text-13"
        />
      )}
    </Field>
  );
}

/** `boolean · true`, `string · “trial”` */
function describe({ types, sample }: ProfileField): string {
  const known = types.filter((type) => type !== 'null' && type !== 'empty').join(' or ');
  const isNested = types.includes('object') || types.includes('array');
  if (sample === null || sample === '' || isNested) return known;
  return `${known} · ${types.includes('string') ? `“${sample}”` : sample}`;
}
