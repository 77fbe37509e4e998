import { useMutation } from '@tanstack/react-query';
import { ProjectChange, type Project } from '#contracts/projects.ts';
import { callApi } from '#web/shared/api.ts';
import { FormFailure } from '#web/shared/form/form-failure.tsx';
import { reportFailure } from '#web/shared/form/submit-form.ts';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { useShowProject } from './use-show-project.ts';

const Form = ProjectChange.pick({ media_kept_days: true }).required();

/** How long files of messages are kept. */
export function FilesCard({ project }: { project: Project }) {
  const showProject = useShowProject();
  const form = useZodForm(Form, { media_kept_days: project.media_kept_days });
  const save = useMutation({
    mutationFn: (body: { media_kept_days: number }) =>
      callApi('PUT /api/projects/{projectId}', { params: { projectId: project.id }, body }),
    onSuccess: (changed) => {
      showProject(changed);
      form.reset({ media_kept_days: changed.media_kept_days });
      notify.success('Files setting saved');
    },
    onError: (error) => reportFailure(form, error, 'Failed to save the files setting'),
  });
  const submit = form.handleSubmit((values) => save.mutate(values));
  return (
    <Card title="Files" description="Pictures, videos and documents of messages, sent and received.">
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-3">
        <TextField
          form={form}
          name="media_kept_days"
          label="Keep files for (days)"
          numeric
          min={1}
          max={3650}
          className="max-w-md"
          hint="Files that come from now on are removed after so many days; the messages stay. What is still to be sent stays too."
        />
        <FormFailure form={form} />
        <div>
          <Button
            needs="projects:write"
            type="submit"
            size="small"
            busy={save.isPending && 'Saving...'}
            disabled={!form.formState.isDirty}
          >
            Save Changes<span className="sr-only"> of files</span>
          </Button>
        </div>
      </form>
    </Card>
  );
}
