import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SavedTemplate } from '#contracts/saved-templates.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

export function DeleteTemplateDialog({ template, onClose }: { template: SavedTemplate; onClose: () => void }) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => callApi('DELETE /api/templates/{templateId}', { params: { templateId: template.id } }),
    onSuccess: () => {
      notify.success('Template deleted');
      return queryClient.invalidateQueries({ queryKey: queryKeys.templates });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to delete template')),
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete template "${template.name}"?`}
      confirmLabel="Delete"
      busyLabel="Deleting..."
      onConfirm={() => remove.mutateAsync()}
    >
      What was made from it stays. This cannot be undone.
    </ConfirmDialog>
  );
}
