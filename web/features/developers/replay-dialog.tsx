import { useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { callApi } from '#web/shared/api.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { Select } from '#web/shared/form/select.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';

const hourMs = 60 * 60_000;
const spans = [
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last day' },
  { value: '168', label: 'The last week' },
  { value: '720', label: 'The last 30 days' },
];
const whats = [
  { value: 'failed', label: 'What failed' },
  { value: 'all', label: 'Everything' },
];

const Form = z.object({ hours: z.string(), what: z.enum(['failed', 'all']) });

const countText = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'event' : 'events'}`;

/** Delivers again what was recorded since a time. */
export function ReplayDialog({ projectId, onClose }: { projectId: number; onClose: () => void }) {
  const queryClient = useQueryClient();
  const form = useZodForm(Form, { hours: '24', what: 'failed' });
  const replay = useMutation({
    mutationFn: ({ hours, what }: z.output<typeof Form>) =>
      callApi('POST /api/projects/{projectId}/webhooks/replay', {
        params: { projectId },
        body: {
          since: new Date(Date.now() - Number(hours) * hourMs).toISOString(),
          ...(what === 'failed' && { status: 'failed' as const }),
        },
      }),
    onSuccess: ({ replayed, next_since }) => {
      const more = next_since === null ? '' : ' Replay again for the rest.';
      notify.success(replayed === 0 ? 'There is nothing to replay' : `Replaying ${countText(replayed)}.${more}`);
      return queryClient.invalidateQueries({ queryKey: queryKeys.webhooks(projectId) });
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Replay events"
      description="They are delivered again under the same ids, so that your server knows those it has."
      form={form}
      onSubmit={async (values) => void (await replay.mutateAsync(values))}
      submitLabel="Replay"
      busyLabel="Replaying..."
      failureText="Failed to replay events"
    >
      <Select form={form} name="hours" label="Since" options={spans} />
      <Select form={form} name="what" label="Which" options={whats} />
    </FormDialog>
  );
}
