import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { z } from 'zod';
import { CloudAccess, newPhoneFields } from '#contracts/phone-numbers.ts';
import { errorText } from '#web/shared/api-error.ts';
import { Checkbox } from '#web/shared/form/checkbox.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { paths } from '#web/shared/paths.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { useMetaDialog, type SignUpCode } from './use-meta-dialog.ts';
import { useSignUp } from './use-sign-up.ts';

const Form = z.object({
  name: newPhoneFields.shape.name,
  stays_in_app: z.boolean(),
  pin: z.union([z.literal(''), CloudAccess.shape.pin.unwrap()]),
});

type SignUpCardProps = { projectId: number; dialogUrl: string; onOwnApp: () => void };

/** A number comes from Meta's own window, without an id or a secret to copy. */
export function SignUpCard({ projectId, dialogUrl, onOwnApp }: SignUpCardProps) {
  const navigate = useNavigate();
  const form = useZodForm(Form, { name: '', stays_in_app: false, pin: '' });
  const [failure, setFailure] = useState<string>();
  const signUp = useSignUp(projectId, (phone) => navigate({ to: paths.phone, params: { phoneId: String(phone.id) } }));
  const dialog = useMetaDialog(dialogUrl, (code: SignUpCode) => {
    const { name, pin, stays_in_app: staysInApp } = form.getValues();
    signUp.mutate(
      { ...code, name: name || null, ...(pin !== '' && !staysInApp && { pin }) },
      { onError: (error) => setFailure(errorText(error, 'Failed to connect the number')) },
    );
  });
  const staysInApp = form.watch('stays_in_app');
  const trouble = failure ?? dialog.left;
  return (
    <form
      noValidate
      onSubmit={(event) =>
        void form.handleSubmit((values) => {
          setFailure(undefined);
          dialog.open({ staysInApp: values.stays_in_app });
        })(event)
      }
    >
      <Card
        title="Connect through the official API"
        description="A window of Meta opens: you sign in there, choose or make your business account, and add the number. There is nothing to copy."
        footer={
          <>
            <Button type="submit" variant="primary" busy={signUp.isPending && 'Connecting...'}>
              Continue with Meta
            </Button>
            <p role="status" className="text-13 text-muted">
              {dialog.isOpen && "Waiting for Meta's window"}
            </p>
            <Button variant="ghost" className="sm:ml-auto" onClick={onOwnApp}>
              Use an app of your own
            </Button>
          </>
        }
      >
        <div className="grid gap-5">
          {trouble !== undefined && (
            <div role="alert">
              <Notice color={failure === undefined ? 'yellow' : 'red'} title={trouble} />
            </div>
          )}
          <Checkbox
            form={form}
            name="stays_in_app"
            label="Keep using the number in the WhatsApp Business app"
            hint="Its chats and contacts come here once, if you share them at Meta, and what you write in the app shows up here. It sends 20 messages a second at most, and linked devices have to be linked again."
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField form={form} name="name" label="Name (Optional)" autoComplete="off" />
            {!staysInApp && (
              <TextField
                form={form}
                name="pin"
                label="Two-step PIN (Optional)"
                hint="Six digits: the number's own, or new ones where it has none. You can enter it later."
                inputMode="numeric"
                autoComplete="off"
                maxLength={6}
              />
            )}
          </div>
        </div>
      </Card>
    </form>
  );
}
