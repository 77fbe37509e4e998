import { TextArea } from '#web/shared/form/text-area.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import type { FormOf } from '#web/shared/form/use-zod-form.ts';
import type { ProfileFormValues } from './profile-form.ts';

const statuses = ['active', 'inactive', 'connected', 'disconnected', 'error', 'failed'];

/** The fields of a profile, new or edited. */
export function ProfileFields({ form }: { form: FormOf<ProfileFormValues> }) {
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-[minmax(0,1fr)_9rem]">
        <TextField
          form={form}
          name="phone"
          label="Phone"
          hint="Spaces, plus and special characters are removed."
          type="tel"
          inputMode="tel"
          autoComplete="off"
          required
          maxLength={40}
          placeholder="+1 415 555 0123"
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
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
        <TextField form={form} name="name" label="Name" autoComplete="off" maxLength={200} />
        <TextField form={form} name="email" label="Email" type="email" autoComplete="off" />
      </div>
      <TextField form={form} name="status" label="Status" autoComplete="off" maxLength={40} list="profile-statuses" />
      <datalist id="profile-statuses">
        {statuses.map((status) => (
          <option key={status}>{status}</option>
        ))}
      </datalist>
      <TextArea
        form={form}
        name="custom_fields"
        label="Custom fields"
        hint="A JSON object: what you know beyond this. Segments, flows and messages can use it."
        mono
        rows={6}
        spellCheck={false}
        autoCapitalize="none"
        placeholder={'{\n  "plan": "trial",\n  "installed": true\n}'}
      />
    </>
  );
}
