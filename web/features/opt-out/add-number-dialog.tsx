import { useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { WrittenPhone } from '#contracts/phone-numbers.ts';
import { addSuppression } from '#contracts/suppressions.ts';
import { callApi } from '#web/shared/api.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { NumberField } from '#web/shared/number-field/number-field.tsx';
import { queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';

const NewSuppression = z.object({ phone: WrittenPhone, note: addSuppression.body.shape.note });

export function AddNumberDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const form = useZodForm(NewSuppression, { phone: '', note: '' });
  const add = useMutation({
    mutationFn: (body: { phone: string; note?: string | null | undefined }) =>
      callApi('POST /api/suppressions', { body }),
    onSuccess: () => {
      notify.success('Opted out: the number gets no more messages');
      return queryClient.invalidateQueries({ queryKey: queryKeys.suppressions });
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Add a number"
      description="Nothing is sent to it any more, and what waits for it is withdrawn."
      form={form}
      onSubmit={async (values) => void (await add.mutateAsync(values))}
      submitLabel="Add Number"
      busyLabel="Adding..."
      failureText="Failed to add the number"
    >
      <NumberField
        people
        form={form}
        name="phone"
        label="Phone"
        hint="In full, with the country’s calling code, or whom you look for by name."
        required
        placeholder="+1 415 555 0123"
      />
      <TextField
        form={form}
        name="note"
        label="Note"
        hint="How they told you. Optional."
        autoComplete="off"
        maxLength={500}
        placeholder="Asked by mail on 3 November"
      />
    </FormDialog>
  );
}
