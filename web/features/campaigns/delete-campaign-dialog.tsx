import { useQueryClient } from '@tanstack/react-query';
import type { Campaign } from '#contracts/campaigns.ts';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { DeletionDialog } from '#web/shared/ui/deletion-dialog.tsx';
import { waitingText } from './campaign-state.ts';

type DeleteCampaignDialogProps = {
  campaign: Campaign;
  onClose: () => void;
  /** Leaves a page that is about the campaign. */
  onDeleted?: () => Promise<void>;
};

export function DeleteCampaignDialog({ campaign, onClose, onDeleted }: DeleteCampaignDialogProps) {
  const queryClient = useQueryClient();
  return (
    <DeletionDialog
      onClose={onClose}
      title={`Delete automation "${campaign.name}"?`}
      done="Automation deleted"
      failed="Failed to delete automation"
      remove={() => callApi('DELETE /api/campaigns/{campaignId}', { params: { campaignId: campaign.id } })}
      undo={{ resource: 'campaigns', id: campaign.id }}
      onUndone={() => queryClient.invalidateQueries({ queryKey: queryKeys.campaigns })}
      onDeleted={async () => {
        // The page first: it would ask for what is gone.
        await onDeleted?.();
        queryClient.removeQueries({ queryKey: queryKeys.campaign(campaign.id) });
        await queryClient.invalidateQueries({ queryKey: queryKeys.campaigns });
      }}
    >
      {waitingText(campaign)} Messages already sent stay in the records; who got what is no longer listed.
    </DeletionDialog>
  );
}
