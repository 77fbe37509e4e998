import { useQueryClient } from '@tanstack/react-query';
import type { Project } from '#contracts/projects.ts';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { DeletionDialog } from '#web/shared/ui/deletion-dialog.tsx';

type DeleteProjectDialogProps = {
  isOpen: boolean;
  project: Project;
  onClose: () => void;
  /** Before the project is gone from what is shown. */
  onDeleted?: () => Promise<void>;
};

export function DeleteProjectDialog({ isOpen, project, onClose, onDeleted }: DeleteProjectDialogProps) {
  const queryClient = useQueryClient();
  return (
    <DeletionDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete ${project.name}?`}
      done="Project deleted successfully"
      failed="Failed to delete project"
      remove={() => callApi('DELETE /api/projects/{projectId}', { params: { projectId: project.id } })}
      onDeleted={async () => {
        await onDeleted?.();
        queryClient.removeQueries({ queryKey: queryKeys.project(project.id) });
        await queryClient.invalidateQueries({ queryKey: queryKeys.projects });
      }}
    >
      Its phone numbers are signed out, its auth key stops at once, and its campaigns, flows, messages and webhook
      records are deleted. This cannot be undone.
    </DeletionDialog>
  );
}
