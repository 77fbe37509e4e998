import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { connectorTraits } from '#contracts/connectors.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { callApi } from '#web/shared/api.ts';
import { Checkbox } from '#web/shared/form/checkbox.tsx';
import { controlClass } from '#web/shared/form/control-class.ts';
import { Field } from '#web/shared/form/field.tsx';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';
import { CallsField } from './calls-field.tsx';
import { SecretFields } from './official/secret-fields.tsx';
import { PhoneFields } from './phone-fields.tsx';
import { ProtectionField } from './health/protection-field.tsx';
import { PhoneForm, ProxyField } from './proxy-field.tsx';

type EditPhoneDialogProps = { phone: PhoneNumber; onClose: () => void };

export function EditPhoneDialog({ phone, onClose }: EditPhoneDialogProps) {
  const queryClient = useQueryClient();
  const form = useZodForm(PhoneForm, {
    name: phone.name ?? '',
    priority: phone.priority,
    max_daily_messages: phone.max_daily_messages,
    is_active: phone.is_active,
    proxy: phone.proxy ?? '',
    is_protected: phone.health?.is_protected ?? true,
    rejects_calls: phone.calls.reject,
    rejected_call_text: phone.calls.text ?? '',
    access_token: '',
    app_secret: '',
  });
  const update = useMutation({
    mutationFn: ({ proxy, is_protected, rejects_calls, rejected_call_text, ...rest }: z.output<typeof PhoneForm>) => {
      const { access_token, app_secret, ...body } = rest;
      const calls = { reject: rejects_calls, text: rejected_call_text || null };
      return callApi('PUT /api/phone-numbers/{phoneId}', {
        params: { phoneId: phone.id },
        // The proxy is shown without its password: left untouched, it stays.
        body: {
          ...body,
          name: body.name || null,
          ...(proxy !== (phone.proxy ?? '') && { proxy: proxy || null }),
          ...((calls.reject !== phone.calls.reject || calls.text !== phone.calls.text) && { calls }),
          ...(is_protected !== (phone.health?.is_protected ?? true) && { protection: { is_protected } }),
          ...((access_token || app_secret) && {
            cloud: { ...(access_token && { access_token }), ...(app_secret && { app_secret }) },
          }),
        },
      });
    },
    onSuccess: () => {
      notify.success('Phone number updated successfully');
      void queryClient.invalidateQueries({ queryKey: queryKeys.phone(phone.id) });
      return queryClient.invalidateQueries({ queryKey: queryKeys.phoneNumbers(phone.project_id) });
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Edit Phone Number"
      form={form}
      onSubmit={async (values) => void (await update.mutateAsync(values))}
      submitLabel="Save Changes"
      busyLabel="Saving..."
      failureText="Failed to update phone number"
    >
      <Field label="Phone Number">
        {(control) => (
          <input
            {...control}
            type="tel"
            disabled
            value={`+${phone.phone_number}`}
            className={`${controlClass} h-(--control) px-3 tabular-nums`}
          />
        )}
      </Field>
      <PhoneFields form={form} connector={phone.connector} />
      {connectorTraits[phone.connector].link === 'qr' && <ProxyField form={form} phone={phone} />}
      {connectorTraits[phone.connector].link === 'qr' && <ProtectionField form={form} />}
      {connectorTraits[phone.connector].link === 'qr' && <CallsField form={form} />}
      {phone.cloud !== null && <SecretFields form={form} isReplacing />}
      <Checkbox form={form} name="is_active" label="Active (include in rotation)" />
    </FormDialog>
  );
}
