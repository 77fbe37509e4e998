import { useQueryClient } from '@tanstack/react-query';
import type { WhatsappTemplate } from '#contracts/whatsapp-templates.ts';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { DeletionDialog } from '#web/shared/ui/deletion-dialog.tsx';
import { languageName } from '#web/shared/whatsapp-template/template-words.ts';
import { usesInWords } from './list/used-by.tsx';

type DeleteTemplateDialogProps = {
  template: WhatsappTemplate;
  onClose: () => void;
  onDeleted?: () => Promise<unknown>;
};

export function DeleteTemplateDialog({ template, onClose, onDeleted }: DeleteTemplateDialogProps) {
  const queryClient = useQueryClient();
  const { id, name, language, used_by: uses } = template;
  return (
    <DeletionDialog
      onClose={onClose}
      title={`Delete "${name}" in ${languageName(language)}?`}
      done="Template deleted"
      failed="Failed to delete template"
      remove={() =>
        callApi('DELETE /api/whatsapp-templates/{whatsappTemplateId}', { params: { whatsappTemplateId: id } })
      }
      onDeleted={async () => {
        await onDeleted?.();
        await queryClient.invalidateQueries({ queryKey: queryKeys.whatsappTemplates });
      }}
    >
      {uses.length > 0 && `It is used by ${usesInWords(uses)}, which can then no longer send it. `}
      It goes at Meta as well, where its name stays blocked in this language for 30 days. Other languages stay. This
      cannot be undone.
    </DeletionDialog>
  );
}
