import { useMutation } from '@tanstack/react-query';
import { UserChange, type User } from '#contracts/accounts.ts';
import { callApi } from '#web/shared/api.ts';
import { FormFailure } from '#web/shared/form/form-failure.tsx';
import { reportFailure } from '#web/shared/form/submit-form.ts';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { setUser, useCan } from '#web/shared/session.ts';
import { currentZoneName } from '#web/shared/time-zones.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { DefaultCountryField } from './default-country-field.tsx';
import { LanguageField } from './language-field.tsx';
import { TimeZoneField } from './time-zone-field.tsx';

const Form = UserChange.pick({ name: true, language: true, timezone: true, default_country: true }).required();

const valuesOf = ({ name, language, timezone, default_country }: User) => ({
  name,
  language,
  timezone: currentZoneName(timezone),
  default_country,
});

export function ProfileCard({ user }: { user: User }) {
  const mayChangeAccount = useCan()('account:write');
  const form = useZodForm(Form, valuesOf(user));
  const save = useMutation({
    mutationFn: (body: UserChange) => callApi('PUT /api/user/me', { body }),
    onSuccess: (saved) => {
      setUser(saved);
      form.reset(valuesOf(saved));
      notify.success('Profile updated successfully');
    },
    onError: (error) => reportFailure(form, error, 'Failed to update profile'),
  });
  const { dirtyFields } = form.formState;
  // Only what was changed: the time zone and the country are the account's, which not everybody may change.
  const submit = form.handleSubmit((values) =>
    save.mutate(Object.fromEntries(Object.entries(values).filter(([name]) => name in dirtyFields))),
  );

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Card
        id="profile"
        title="Profile"
        footer={
          <Button
            type="submit"
            variant="primary"
            size="small"
            disabled={!form.formState.isDirty}
            busy={save.isPending && 'Saving...'}
          >
            Save Changes<span className="sr-only"> of your profile</span>
          </Button>
        }
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField form={form} name="name" label="Name" autoComplete="name" />
          <LanguageField form={form} name="language" />
          {mayChangeAccount && (
            <>
              <TimeZoneField
                form={form}
                name="timezone"
                label="Time zone"
                hint="The account's. Daily message limits start again at midnight here."
              />
              <DefaultCountryField form={form} name="default_country" />
            </>
          )}
        </div>
        <FormFailure form={form} className="mt-4" />
      </Card>
    </form>
  );
}
