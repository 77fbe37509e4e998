import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { DirectFirstContacts } from '#contracts/projects.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { Field } from '#web/shared/form/field.tsx';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { projectsQuery, queryKeys } from '#web/shared/queries.ts';
import { useCan } from '#web/shared/session.ts';
import { deniedText } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

const words: Readonly<Record<DirectFirstContacts, string>> = {
  send: 'Send them all the same',
  queue: 'Queue them at the pace of the number',
  refuse: 'Refuse them',
};

/** Chooses the handling of direct messages to strangers beyond the day's first contacts: a setting of the project. */
export function FirstContactsChoice({ projectId }: { projectId: number }) {
  const queryClient = useQueryClient();
  const mayChange = useCan()('projects:write');
  const { data: projects } = useQuery(projectsQuery());
  const project = projects?.find(({ id }) => id === projectId);
  const save = useMutation({
    mutationFn: (choice: DirectFirstContacts) =>
      callApi('PUT /api/projects/{projectId}', { params: { projectId }, body: { direct_first_contacts: choice } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.projects }),
    onError: (error) => notify.error(errorText(error, 'Failed to change what becomes of direct messages')),
  });
  if (project === undefined) return null;
  return (
    <div className="px-4 py-4 sm:px-5">
      <Field
        label="Direct messages beyond the day's first contacts"
        hint={`Messages of the API to people who have never written. For all numbers of ${project.name}.`}
      >
        {(control) => (
          <SelectInput
            {...control}
            value={project.direct_first_contacts}
            busy={save.isPending}
            {...(!mayChange && { disabled: true, title: deniedText })}
            options={DirectFirstContacts.options.map((value) => ({ value, label: words[value] }))}
            onChange={({ target }) => save.mutate(DirectFirstContacts.parse(target.value))}
          />
        )}
      </Field>
    </div>
  );
}
