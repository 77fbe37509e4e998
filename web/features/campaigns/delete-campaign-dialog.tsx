import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Campaign } from '#contracts/campaigns.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { waitingText } from './campaign-state.ts';

type DeleteCampaignDialogProps = {
  campaign: Campaign;
  onClose: () => void;
  /** Leaves a page that is about the campaign. */
  onDeleted?: () => Promise<void>;
};

export function DeleteCampaignDialog({ campaign, onClose, onDeleted }: DeleteCampaignDialogProps) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => callApi('DELETE /api/campaigns/{campaignId}', { params: { campaignId: campaign.id } }),
    onSuccess: async () => {
      notify.success('Automation deleted', { durationMs: 2000 });
      // The page first: it would ask for what is gone.
      await onDeleted?.();
      queryClient.removeQueries({ queryKey: queryKeys.campaign(campaign.id) });
      await queryClient.invalidateQueries({ queryKey: queryKeys.campaigns });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to delete automation')),
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete automation "${campaign.name}"?`}
      confirmLabel="Delete"
      busyLabel="Deleting..."
      onConfirm={() => remove.mutateAsync()}
    >
      {waitingText(campaign)} Messages already sent stay in the records; who got what is no longer listed. This cannot
      be undone.
    </ConfirmDialog>
  );
}
