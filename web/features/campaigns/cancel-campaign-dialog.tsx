import type { Campaign } from '#contracts/campaigns.ts';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { waitingText } from './campaign-state.ts';
import { useCampaignAction } from './use-campaign-action.ts';

export function CancelCampaignDialog({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const cancel = useCampaignAction('cancel');
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Cancel campaign "${campaign.name}"?`}
      confirmLabel="Cancel campaign"
      busyLabel="Cancelling..."
      cancelLabel="Keep it"
      onConfirm={async () => void (await cancel.mutateAsync(campaign))}
    >
      {waitingText(campaign)} What was sent stays sent. This cannot be undone; to stop for a while, pause it instead.
    </ConfirmDialog>
  );
}
