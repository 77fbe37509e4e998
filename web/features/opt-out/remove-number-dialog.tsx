import { useMutation, useQueryClient } from '@tanstack/react-query';
import { removeSuppression, type Suppression } from '#contracts/suppressions.ts';
import { callApi } from '#web/shared/api.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';

export function RemoveNumberDialog({ suppression, onClose }: { suppression: Suppression; onClose: () => void }) {
  const { phone } = suppression;
  const queryClient = useQueryClient();
  const formatPhone = usePhoneFormat();
  const form = useZodForm(removeSuppression.query, { reason: '' });
  const remove = useMutation({
    mutationFn: (query: { reason: string }) =>
      callApi('DELETE /api/suppressions/{phone}', {
        params: { phone: phone.startsWith('lid:') ? phone : `+${phone}` },
        query,
      }),
    onSuccess: async () => {
      notify.success('Opted in again');
      const keys = [queryKeys.suppressions, queryKeys.profiles];
      await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={`Write to ${formatPhone(phone)} again?`}
      description="They asked for no more messages. Do this only if they have asked for them since; the log keeps your reason."
      form={form}
      onSubmit={(values) => remove.mutateAsync(values)}
      submitLabel="Opt in again"
      busyLabel="Saving..."
      failureText="Failed to remove the number"
    >
      <TextField
        form={form}
        name="reason"
        label="Reason"
        placeholder="Asked for it at the counter on Monday"
        autoComplete="off"
        maxLength={500}
        required
      />
    </FormDialog>
  );
}
