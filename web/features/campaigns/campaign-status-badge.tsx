import type { Campaign, CampaignStatus } from '#contracts/campaigns.ts';
import { Badge, statusWord, type StatusColor } from '#web/shared/ui/status-badge.tsx';
import { isMoving } from './campaign-state.ts';

const colors: Partial<Record<CampaignStatus, StatusColor>> = {
  creating: 'yellow',
  running: 'blue',
  completed: 'green',
  failed: 'red',
};

/** Any other status is shown as it is, in grey. */
export function CampaignStatusBadge({ campaign }: { campaign: Campaign }) {
  const { status } = campaign;
  return (
    <Badge color={colors[status] ?? 'gray'} isLive={isMoving(campaign)}>
      {statusWord(status)}
    </Badge>
  );
}
