import { useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { callApi } from '#web/shared/api.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { Select } from '#web/shared/form/select.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { queryKeys } from '#web/shared/queries.ts';
import type { ShownKey } from './shown-key-dialog.tsx';

const overlaps = [
  { value: '0', label: 'At once' },
  { value: '1', label: 'In an hour' },
  { value: '24', label: 'In a day' },
  { value: '168', label: 'In a week' },
];

const Form = z.object({ hours: z.string() });

type RotateKeyDialogProps = {
  projectId: number;
  keyId: number;
  name: string;
  onClose: () => void;
  onMade: (shown: ShownKey) => void;
};

/** Makes a key that may do the same; the old one may go on for a while. */
export function RotateKeyDialog({ projectId, keyId, name, onClose, onMade }: RotateKeyDialogProps) {
  const queryClient = useQueryClient();
  const form = useZodForm(Form, { hours: '24' });
  const rotate = useMutation({
    mutationFn: ({ hours }: z.output<typeof Form>) =>
      callApi('POST /api/projects/{projectId}/keys/{keyId}/rotate', {
        params: { projectId, keyId },
        body: { overlap_hours: Number(hours) },
      }),
    onSuccess: (made) => {
      onMade(made);
      return queryClient.invalidateQueries({ queryKey: queryKeys.projectKeys(projectId) });
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={`Rotate ${name}?`}
      description="A new key takes its place, with the same scopes."
      form={form}
      onSubmit={async (values) => void (await rotate.mutateAsync(values))}
      submitLabel="Rotate"
      busyLabel="Rotating..."
      failureText="Failed to rotate key"
    >
      <Select form={form} name="hours" label="The old key ends" options={overlaps} />
    </FormDialog>
  );
}
