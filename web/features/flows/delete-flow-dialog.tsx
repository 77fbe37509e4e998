import { useQueryClient } from '@tanstack/react-query';
import type { Flow } from '#contracts/flows.ts';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { DeletionDialog } from '#web/shared/ui/deletion-dialog.tsx';

type DeleteFlowDialogProps = {
  flow: Flow;
  onClose: () => void;
  /** Leaves a page that is about the flow. */
  onDeleted?: () => Promise<void>;
};

export function DeleteFlowDialog({ flow, onClose, onDeleted }: DeleteFlowDialogProps) {
  const queryClient = useQueryClient();
  return (
    <DeletionDialog
      onClose={onClose}
      title="Delete this flow?"
      done="Flow deleted"
      failed="Failed to delete flow"
      remove={() => callApi('DELETE /api/flows/{flowId}', { params: { flowId: flow.id } })}
      undo={{ resource: 'flows', id: flow.id }}
      onUndone={() => queryClient.invalidateQueries({ queryKey: queryKeys.flows })}
      onDeleted={async () => {
        // The page first: it would ask for what is gone.
        await onDeleted?.();
        queryClient.removeQueries({ queryKey: [...queryKeys.flows, flow.id] });
        await queryClient.invalidateQueries({ queryKey: queryKeys.flows });
      }}
    >
      “<bdi>{flow.name}</bdi>” stops at once: messages that wait are not sent. What was sent stays in the records.
    </DeletionDialog>
  );
}
