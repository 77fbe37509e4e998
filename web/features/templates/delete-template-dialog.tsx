import { useQueryClient } from '@tanstack/react-query';
import type { SavedTemplate } from '#contracts/saved-templates.ts';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { DeletionDialog } from '#web/shared/ui/deletion-dialog.tsx';

export function DeleteTemplateDialog({ template, onClose }: { template: SavedTemplate; onClose: () => void }) {
  const queryClient = useQueryClient();
  return (
    <DeletionDialog
      onClose={onClose}
      title={`Delete template "${template.name}"?`}
      done="Template deleted"
      failed="Failed to delete template"
      remove={() => callApi('DELETE /api/templates/{templateId}', { params: { templateId: template.id } })}
      undo={{ resource: 'templates', id: template.id }}
      onUndone={() => queryClient.invalidateQueries({ queryKey: queryKeys.templates })}
      onDeleted={() => queryClient.invalidateQueries({ queryKey: queryKeys.templates })}
    >
      What was made from it stays.
    </DeletionDialog>
  );
}
