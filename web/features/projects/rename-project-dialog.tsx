import { useMutation } from '@tanstack/react-query';
import { NewProject, type Project } from '#contracts/projects.ts';
import { callApi } from '#web/shared/api.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { notify } from '#web/shared/ui/toast-store.ts';
import { useShowProject } from './use-show-project.ts';

const Form = NewProject.pick({ name: true });

export function RenameProjectDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const showProject = useShowProject();
  const form = useZodForm(Form, { name: project.name });
  const rename = useMutation({
    mutationFn: (body: { name: string }) =>
      callApi('PUT /api/projects/{projectId}', { params: { projectId: project.id }, body }),
    onSuccess: (renamed) => {
      showProject(renamed);
      notify.success('Project renamed successfully');
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Rename project"
      form={form}
      onSubmit={async (values) => void (await rename.mutateAsync(values))}
      submitLabel="Save Changes"
      busyLabel="Saving..."
      failureText="Failed to rename project"
    >
      <TextField form={form} name="name" label="Project Name" required autoComplete="off" maxLength={120} />
    </FormDialog>
  );
}
