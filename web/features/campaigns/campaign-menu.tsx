import { useNavigate } from '@tanstack/react-router';
import { Ban, Ellipsis, List, Pause, Play } from 'lucide-react';
import type { Campaign } from '#contracts/campaigns.ts';
import { paths } from '#web/shared/paths.ts';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Menu, type MenuItem } from '#web/shared/ui/menu.tsx';
import { hasEnded } from './campaign-state.ts';
import { useCampaignAction } from './use-campaign-action.ts';

/** The further actions of a row, beside Edit and Delete. */
export function CampaignMenu({ campaign, onCancel }: { campaign: Campaign; onCancel: () => void }) {
  const navigate = useNavigate();
  const pause = useCampaignAction('pause');
  const resume = useCampaignAction('resume');
  const items: MenuItem[] = [
    {
      label: 'Recipients',
      icon: <List aria-hidden="true" className="size-4" />,
      onSelect: () => void navigate({ to: paths.campaign, params: { campaignId: String(campaign.id) } }),
    },
  ];
  if (campaign.status === 'running' || campaign.status === 'scheduled') {
    items.push({
      label: 'Pause',
      needs: 'campaigns:write',
      icon: <Pause aria-hidden="true" className="size-4" />,
      onSelect: () => pause.mutate(campaign),
    });
  }
  if (campaign.status === 'paused') {
    items.push({
      label: 'Resume',
      needs: 'campaigns:write',
      icon: <Play aria-hidden="true" className="size-4" />,
      onSelect: () => resume.mutate(campaign),
    });
  }
  if (!hasEnded(campaign)) {
    items.push('separator', {
      label: 'Cancel',
      needs: 'campaigns:write',
      danger: true,
      icon: <Ban aria-hidden="true" className="size-4" />,
      onSelect: onCancel,
    });
  }
  return (
    <Menu
      trigger={
        <IconButton
          label={`More actions for ${campaign.name}`}
          icon={<Ellipsis aria-hidden="true" className="size-4" />}
        />
      }
      items={items}
    />
  );
}
