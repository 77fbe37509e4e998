import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { SwitchInput } from '#web/shared/form/switch.tsx';
import { projectsQuery, queryKeys } from '#web/shared/queries.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { StickySwitch } from '../health/sticky-switch.tsx';

/** The settings of its project that people notice; the limits of Meta are kept without a switch. */
export function OfficialCareCard({ projectId }: { projectId: number }) {
  const queryClient = useQueryClient();
  const { data: projects } = useQuery(projectsQuery());
  const project = projects?.find(({ id }) => id === projectId);
  const save = useMutation({
    mutationFn: (tells: boolean) =>
      callApi('PUT /api/projects/{projectId}', { params: { projectId }, body: { read_receipts: tells } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.projects }),
    onError: (error) => notify.error(errorText(error, 'Failed to change what people see')),
  });
  if (project === undefined) return null;
  return (
    <Card title="Care" flush>
      <div className="divide-y">
        <StickySwitch projectId={projectId} />
        <div className="px-4 py-4 sm:px-5">
          <SwitchInput
            label="Show as read"
            hint={`Blue ticks come when somebody opens a message here or answers it. For all numbers of ${project.name}.`}
            checked={project.read_receipts}
            needs="projects:write"
            busy={save.isPending}
            onChange={({ target }) => save.mutate(target.checked)}
          />
        </div>
      </div>
    </Card>
  );
}
