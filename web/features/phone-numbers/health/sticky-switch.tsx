import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { SwitchInput } from '#web/shared/form/switch.tsx';
import { projectsQuery, queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';
import { stickyHint, stickyOff } from './protection-words.ts';
import { Warning } from './warning.tsx';

/** Whether those who know one of the project's numbers keep it: a setting of the project, as it is about all of them. */
export function StickySwitch({ projectId }: { projectId: number }) {
  const queryClient = useQueryClient();
  const { data: projects } = useQuery(projectsQuery());
  const project = projects?.find(({ id }) => id === projectId);
  const save = useMutation({
    mutationFn: (isSticky: boolean) =>
      callApi('PUT /api/projects/{projectId}', { params: { projectId }, body: { sticky_sender: isSticky } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.projects }),
    onError: (error) => notify.error(errorText(error, 'Failed to change the sender')),
  });
  if (project === undefined) return null;
  return (
    <div className="grid gap-2 px-4 py-4 sm:px-5">
      <SwitchInput
        label="Sticky sender"
        hint={`${stickyHint} For all numbers of ${project.name}.`}
        checked={project.sticky_sender}
        needs="projects:write"
        busy={save.isPending}
        onChange={({ target }) => save.mutate(target.checked)}
      />
      {!project.sticky_sender && <Warning text={stickyOff} />}
    </div>
  );
}
