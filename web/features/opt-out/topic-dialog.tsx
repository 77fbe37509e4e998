import { useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { NewTopic, type Topic } from '#contracts/topics.ts';
import { callApi } from '#web/shared/api.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { Select } from '#web/shared/form/select.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';

const Form = z.object({
  name: NewTopic.shape.name,
  description: z.string().trim().max(200, 'Use at most 200 characters'),
  needs_opt_in: z.enum(['all', 'opted_in']),
});

/** Makes a topic, or changes the given one. */
export function TopicDialog({ topic, onClose }: { topic?: Topic; onClose: () => void }) {
  const queryClient = useQueryClient();
  const form = useZodForm(Form, {
    name: topic?.name ?? '',
    description: topic?.description ?? '',
    needs_opt_in: topic?.needs_opt_in ? 'opted_in' : 'all',
  });
  const save = useMutation({
    mutationFn: ({ name, description, needs_opt_in: reach }: z.output<typeof Form>) => {
      const body = { name, description: description || null, needs_opt_in: reach === 'opted_in' };
      return topic === undefined
        ? callApi('POST /api/topics', { body })
        : callApi('PATCH /api/topics/{topicId}', { params: { topicId: topic.id }, body });
    },
    onSuccess: () => {
      notify.success(topic === undefined ? 'Topic created' : 'Topic updated');
      return queryClient.invalidateQueries({ queryKey: queryKeys.suppressions });
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={topic === undefined ? 'New topic' : 'Edit topic'}
      description="Something that people can take or leave by itself, such as offers or events."
      form={form}
      onSubmit={async (values) => void (await save.mutateAsync(values))}
      submitLabel={topic === undefined ? 'Create Topic' : 'Save Changes'}
      busyLabel="Saving..."
      failureText="Failed to save the topic"
    >
      <TextField
        form={form}
        name="name"
        label="Name"
        hint="As people read it on their preferences page."
        autoComplete="off"
        maxLength={60}
        placeholder="Offers"
        required
      />
      <TextField
        form={form}
        name="description"
        label="Description"
        hint="Optional, a sentence below the name."
        autoComplete="off"
        maxLength={200}
        placeholder="New arrivals and sales, about once a week"
      />
      <Select
        form={form}
        name="needs_opt_in"
        label="Goes to"
        options={[
          { value: 'all', label: 'Everybody who has not opted out of it' },
          { value: 'opted_in', label: 'Only who has opted in to it' },
        ]}
      />
    </FormDialog>
  );
}
