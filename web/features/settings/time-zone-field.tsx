import { useState } from 'react';
import { useController, type FieldPath, type FieldValues } from 'react-hook-form';
import { Combobox } from '#web/shared/form/combobox.tsx';
import { Field, type FieldTexts } from '#web/shared/form/field.tsx';
import { useFieldError, type FormOf } from '#web/shared/form/use-zod-form.ts';
import { formatTimeIn } from '#web/shared/time-format.ts';
import { findTimeZone, offsetOf, searchTimeZones, timeZonesAt, type TimeZone } from '#web/shared/time-zones.ts';

type TimeZoneFieldProps<T extends FieldValues> = FieldTexts & { form: FormOf<T>; name: FieldPath<T> };

/** A zone, found by its name, the name it had, or its offset. */
export function TimeZoneField<T extends FieldValues>({ form, name, ...texts }: TimeZoneFieldProps<T>) {
  const { field } = useController({ control: form.control, name });
  const error = useFieldError(form, name);
  const [search, setSearch] = useState('');
  // Hundreds of offsets: reckoned when somebody comes to choose.
  const [zones, setZones] = useState<TimeZone[]>([]);
  // An offset changes twice a year: that of the moment in which the page opened will do.
  const [openedAt] = useState(() => new Date());
  const offset = offsetOf(field.value, openedAt);
  const now = offset && `${formatTimeIn(field.value, openedAt)} now · ${offset}`;
  return (
    <Field {...texts} aside={now !== undefined && <span className="text-muted tabular-nums">{now}</span>} error={error}>
      {(control) => (
        <Combobox
          {...control}
          ref={field.ref}
          name={field.name}
          value={field.value}
          onChange={(typed) => {
            field.onChange(typed);
            setSearch(typed);
          }}
          onFocus={(event) => {
            setSearch('');
            setZones(timeZonesAt(new Date()));
            event.target.select();
          }}
          onBlur={() => {
            const zone = findTimeZone(zones, field.value);
            if (zone !== undefined && zone.name !== field.value) field.onChange(zone.name);
            field.onBlur();
          }}
          match={search.trim().replaceAll(' ', '_')}
          suggestions={searchTimeZones(zones, search).map((zone) => ({ value: zone.name, aside: zone.offset }))}
          suggestionsLabel="Time zones"
        />
      )}
    </Field>
  );
}
