import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { fillTemplate } from '#contracts/template.ts';
import { NewSavedTemplate, type SavedTemplate } from '#contracts/saved-templates.ts';
import { callApi } from '#web/shared/api.ts';
import { onlyChanged } from '#web/shared/form/only-changed.ts';
import { draftKeyOf } from '#web/shared/drafts/draft-key.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { projectsQuery, queryKeys } from '#web/shared/queries.ts';
import { SendTest } from '#web/shared/review/send-test.tsx';
import { useSession } from '#web/shared/session.ts';
import { plainLinks } from '#web/shared/template/show-links.ts';
import { TemplateField } from '#web/shared/template/template-field.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

/** Through the current project, if it has a key that the person may see. */
function TemplateTest({ message }: { message: string }) {
  const { currentProjectId } = useSession();
  const { data: projects } = useQuery(projectsQuery());
  const project = projects?.find(({ id }) => id === currentProjectId) ?? projects?.[0];
  if (project === undefined || !project.is_connected) return null;
  const filled = fillTemplate(plainLinks(message), (path) => (path === 'name' ? 'John' : undefined));
  return (
    <SendTest
      sender={project}
      media={null}
      message={filled}
      hint={`To your own number, for a John, through ${project.name}.`}
    />
  );
}

/** Keeps a message under a name, or changes one that is kept. */
export function TemplateDialog({ template, onClose }: { template?: SavedTemplate; onClose: () => void }) {
  const queryClient = useQueryClient();
  const isNew = template === undefined;
  const form = useZodForm(NewSavedTemplate, { name: template?.name ?? '', message: template?.message ?? '' });
  const [name, message] = useWatch({ control: form.control, name: ['name', 'message'] });
  const { dirtyFields } = form.formState;
  const save = useMutation({
    mutationFn: (body: NewSavedTemplate) =>
      template === undefined
        ? callApi('POST /api/templates', { body })
        : callApi('PUT /api/templates/{templateId}', {
            params: { templateId: template.id },
            body: onlyChanged(body, dirtyFields),
          }),
    onSuccess: () => {
      notify.success(isNew ? 'Template created' : 'Template updated');
      return queryClient.invalidateQueries({ queryKey: queryKeys.templates });
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      size="large"
      draft={{ kind: 'template', key: draftKeyOf({ edited: template }) }}
      title={isNew ? 'New Template' : 'Edit Template'}
      form={form}
      onSubmit={async (values) => void (await save.mutateAsync(values))}
      canSubmit={name.trim() !== '' && message.trim() !== ''}
      submitLabel={isNew ? 'Create Template' : 'Save Changes'}
      busyLabel={isNew ? 'Creating...' : 'Saving...'}
      failureText="Failed to save template"
    >
      <TextField
        form={form}
        name="name"
        label="Name"
        required
        autoComplete="off"
        maxLength={120}
        placeholder="Order ready"
      />
      <TemplateField
        form={form}
        name="message"
        label="Message"
        placeholder="Hi {name|there}, your order is ready."
        hint="{name|there} reads “there” for whoever has no name."
        hasSavedTemplates={false}
      />
      <TemplateTest message={message} />
    </FormDialog>
  );
}
