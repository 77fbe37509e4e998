import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Project } from '#contracts/projects.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

type DeleteProjectDialogProps = {
  isOpen: boolean;
  project: Project;
  onClose: () => void;
  /** Before the project is gone from what is shown. */
  onDeleted?: () => Promise<void>;
};

export function DeleteProjectDialog({ isOpen, project, onClose, onDeleted }: DeleteProjectDialogProps) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => callApi('DELETE /api/projects/{projectId}', { params: { projectId: project.id } }),
    onSuccess: async () => {
      notify.success('Project deleted successfully', { durationMs: 2000 });
      await onDeleted?.();
      queryClient.removeQueries({ queryKey: queryKeys.project(project.id) });
      await queryClient.invalidateQueries({ queryKey: queryKeys.projects });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to delete project')),
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete ${project.name}?`}
      confirmLabel="Delete"
      busyLabel="Deleting..."
      onConfirm={() => remove.mutateAsync()}
    >
      Its phone numbers are signed out, its auth key stops at once, and its campaigns, flows, messages and webhook
      records are deleted. This cannot be undone.
    </ConfirmDialog>
  );
}
