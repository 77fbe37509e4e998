import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState, type ReactNode } from 'react';
import { z } from 'zod';
import { CloudAccess, newPhoneFields, WrittenPhone } from '#contracts/phone-numbers.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { LeaveQuestion } from '#web/shared/form/leave-question.tsx';
import { showFieldErrors } from '#web/shared/form/submit-form.ts';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { NumberField } from '#web/shared/number-field/number-field.tsx';
import { paths } from '#web/shared/paths.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { SecretFields } from '../official/secret-fields.tsx';

const Form = z.object({
  phone_number: WrittenPhone,
  name: newPhoneFields.shape.name,
  cloud: CloudAccess.omit({ pin: true }),
});

/** Takes the values that Meta shows for a number; the webhook and the test are on the number's own page. */
export function OfficialForm({ projectId }: { projectId: number }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const form = useZodForm(Form, {
    phone_number: '',
    name: '',
    cloud: { phone_number_id: '', business_account_id: '', access_token: '', app_secret: '' },
  });
  const [failure, setFailure] = useState<string>();
  const isClosing = useRef(false);
  const add = useMutation({
    mutationFn: (values: z.output<typeof Form>) =>
      callApi('POST /api/projects/{projectId}/phone-numbers', {
        params: { projectId },
        body: { ...values, name: values.name || null, connector: 'cloud' },
      }),
    onSuccess: async (phone) => {
      await queryClient.invalidateQueries({ queryKey: queryKeys.phoneNumbers(projectId) });
      isClosing.current = true;
      await navigate({ to: paths.phone, params: { phoneId: String(phone.id) } });
    },
    onError: (error) =>
      setFailure(showFieldErrors(form, error) ? undefined : errorText(error, 'Failed to add phone number')),
  });
  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit((values) => add.mutate(values))(event)}>
      <Card
        title="Connect through the official API"
        description="You need a business account with Meta and a number that is not in use in the WhatsApp app."
        footer={
          <>
            <Button type="submit" variant="primary" busy={add.isPending && 'Adding...'}>
              Continue
            </Button>
            <p className="text-13 text-muted">Next: the webhook, a test of everything, and Connect.</p>
          </>
        }
      >
        <div className="grid gap-6">
          {failure !== undefined && (
            <div role="alert">
              <Notice color="red" title={failure} />
            </div>
          )}
          <Step title="The number" hint="As Meta shows it.">
            <div className="grid gap-4 sm:grid-cols-2">
              <NumberField form={form} name="phone_number" label="Phone Number" required placeholder="+1234567890" />
              <TextField form={form} name="name" label="Name (Optional)" autoComplete="off" />
            </div>
          </Step>
          <Step title="Two ids" hint="Meta shows them in WhatsApp Manager, under API setup.">
            <div className="grid gap-4 sm:grid-cols-2">
              <TextField
                form={form}
                name="cloud.phone_number_id"
                label="Phone number ID"
                hint="Not the phone number."
                inputMode="numeric"
                autoComplete="off"
                required
              />
              <TextField
                form={form}
                name="cloud.business_account_id"
                label="Business account ID"
                hint="Holds templates and numbers."
                inputMode="numeric"
                autoComplete="off"
                required
              />
            </div>
          </Step>
          <Step title="Two secrets" hint="Stored encrypted and not shown again.">
            <SecretFields form={form} prefix="cloud." />
          </Step>
        </div>
      </Card>
      {/* Secrets are kept in no draft. */}
      <LeaveQuestion
        isAsked={form.formState.isDirty}
        isLoss={() => Promise.resolve(true)}
        isClosing={isClosing}
        isKept={false}
      />
    </form>
  );
}

function Step({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-3">
        <span className="block font-medium">{title}</span>
        <span className="block text-13 text-muted">{hint}</span>
      </legend>
      {children}
    </fieldset>
  );
}
