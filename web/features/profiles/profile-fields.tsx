import { useWatch } from 'react-hook-form';
import { NumberField } from '#web/shared/number-field/number-field.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import type { FormOf } from '#web/shared/form/use-zod-form.ts';
import { useIsNarrowed } from '#web/shared/session.ts';
import { CustomFieldsField } from './fields/custom-fields-field.tsx';
import type { ProfileFormValues } from './profile-form.ts';
import { profileStatuses } from './profile-statuses.ts';
import { TagsField } from './tags-field.tsx';

/** The fields of a profile, new or edited; a narrowed member may not give somebody another number. */
export function ProfileFields({ form }: { form: FormOf<ProfileFormValues> }) {
  const country = useWatch({ control: form.control, name: 'country_code' });
  const isNarrowed = useIsNarrowed();
  return (
    <>
      {!isNarrowed && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-[minmax(0,1fr)_9rem]">
          <NumberField
            form={form}
            name="phone"
            label="Phone"
            hint="Spaces, plus and special characters are removed."
            required
            placeholder="+1 415 555 0123"
            country={country ?? ''}
            onCountry={(chosen) => form.setValue('country_code', chosen, { shouldDirty: true })}
          />
          <TextField
            form={form}
            name="country_code"
            label="Country code"
            hint="2 letters, optional"
            autoComplete="off"
            autoCapitalize="characters"
            maxLength={2}
            placeholder="US"
            onInput={({ currentTarget }) => {
              currentTarget.value = currentTarget.value.toUpperCase();
            }}
          />
        </div>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
        <TextField form={form} name="name" label="Name" autoComplete="off" maxLength={200} />
        <TextField form={form} name="email" label="Email" type="email" autoComplete="off" />
      </div>
      <TextField form={form} name="status" label="Status" autoComplete="off" maxLength={40} list="profile-statuses" />
      <datalist id="profile-statuses">
        {profileStatuses.map((status) => (
          <option key={status}>{status}</option>
        ))}
      </datalist>
      <TagsField form={form} />
      <CustomFieldsField form={form} />
    </>
  );
}
