import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { WebhookChange, type Project } from '#contracts/projects.ts';
import { callApi } from '#web/shared/api.ts';
import { hasStatus } from '#web/shared/api-error.ts';
import { FormFailure } from '#web/shared/form/form-failure.tsx';
import { reportFailure } from '#web/shared/form/submit-form.ts';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { useShowProject } from './use-show-project.ts';

type WebhookUrlFormProps = { project: Project; onDone: () => void };

export function WebhookUrlForm({ project, onDone }: WebhookUrlFormProps) {
  const showProject = useShowProject();
  const form = useZodForm(WebhookChange, { webhook_url: project.webhook_url ?? '' });
  const save = useMutation({
    mutationFn: (body: WebhookChange) =>
      callApi('PUT /api/projects/{projectId}/webhook', { params: { projectId: project.id }, body }),
    onSuccess: (changed) => {
      showProject(changed);
      notify.success('Webhook URL updated successfully!');
      onDone();
    },
    onError: (error) => {
      // Whether it was saved is open: that is another thing than a refusal.
      if (hasStatus(error, 0)) notify.error('Error updating webhook URL');
      else reportFailure(form, error, 'Failed to update webhook URL');
    },
  });
  const submit = form.handleSubmit((values) => save.mutate(values));

  const { setFocus } = form;
  useEffect(() => setFocus('webhook_url'), [setFocus]);

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-3">
      <TextField
        form={form}
        name="webhook_url"
        label="Webhook URL"
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://example.com/webhooks/dovepost"
        hint="Leave it empty to receive no events."
      />
      <FormFailure form={form} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" variant="primary" busy={save.isPending && 'Saving...'}>
          Save Changes
        </Button>
        <Button size="small" disabled={save.isPending} onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
