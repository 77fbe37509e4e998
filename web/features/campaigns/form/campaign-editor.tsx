import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { Campaign } from '#contracts/campaigns.ts';
import { copiedName } from '#contracts/shorten-text.ts';
import { EditedThing } from '#web/shared/form/edited-thing.tsx';
import type { Editor } from '#web/shared/form/use-editor.ts';
import { paths } from '#web/shared/paths.ts';
import { campaignQuery } from '#web/shared/queries.ts';
import { CampaignDialog } from './campaign-dialog.tsx';

type CampaignEditorProps = { editor: Editor; shown: readonly Campaign[] | undefined; onClose: () => void };

/** The editor that the address opens: of a new campaign, a copy, or one of the list or elsewhere. */
export function CampaignEditor({ editor, shown, onClose }: CampaignEditorProps) {
  const id = editor.kind === 'new' ? undefined : editor.id;
  const onPage = shown?.find((campaign) => campaign.id === id);
  const query = useQuery({ ...campaignQuery(id ?? 0), enabled: id !== undefined && !onPage });
  const { toSegment } = useLocation().state;
  const navigate = useNavigate();
  const onLaunched = (launchedId: number, { replace = false } = {}) =>
    void navigate({ to: paths.campaign, params: { campaignId: String(launchedId) }, replace });
  if (editor.kind === 'new') return <CampaignDialog toSegment={toSegment} onClose={onClose} onLaunched={onLaunched} />;
  return (
    <EditedThing
      thing={onPage ?? query.data}
      error={query.error}
      onRetry={() => void query.refetch()}
      noun="Campaign"
      onClose={onClose}
    >
      {(campaign) =>
        editor.kind === 'copy' ? (
          <CampaignDialog copyOf={copyOf(campaign)} onClose={onClose} onLaunched={onLaunched} />
        ) : (
          <CampaignDialog campaign={campaign} onClose={onClose} />
        )
      }
    </EditedThing>
  );
}

/** To be sent at once, under a name of its own. */
const copyOf = (campaign: Campaign): Campaign => ({ ...campaign, name: copiedName(campaign.name, 120), when: null });
