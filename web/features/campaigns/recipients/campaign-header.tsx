import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ChevronLeft, Copy, Pause, Pencil, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Campaign } from '#contracts/campaigns.ts';
import { useEditor } from '#web/shared/form/use-editor.ts';
import { usePageName } from '#web/shared/page-name.ts';
import { paths } from '#web/shared/paths.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { useNeededFor } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { HistoryLink } from '#web/shared/ui/history-link.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { hasEnded, segmentText } from '../campaign-state.ts';
import { CampaignStatusBadge } from '../campaign-status-badge.tsx';
import { CancelCampaignDialog } from '../cancel-campaign-dialog.tsx';
import { DeleteCampaignDialog } from '../delete-campaign-dialog.tsx';
import { useCampaignAction } from '../use-campaign-action.ts';

type OpenDialog = 'delete' | 'cancel';

export function CampaignHeader({ campaign }: { campaign: Campaign }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<OpenDialog>();
  const close = () => setOpen(undefined);
  usePageName(campaign.name);
  return (
    <div className="grid gap-2">
      <Link
        to={paths.campaigns}
        className="-ml-1 inline-flex items-center gap-0.5 justify-self-start rounded-small pr-1 text-13 text-muted hover:text-ink"
      >
        <ChevronLeft aria-hidden="true" className="size-4" />
        Campaigns
      </Link>
      <PageHeader
        title={campaign.name}
        badge={<CampaignStatusBadge campaign={campaign} />}
        description={<Route campaign={campaign} />}
        actions={<Actions campaign={campaign} onOpen={setOpen} />}
      />
      {open === 'cancel' && <CancelCampaignDialog campaign={campaign} onClose={close} />}
      {open === 'delete' && (
        <DeleteCampaignDialog campaign={campaign} onClose={close} onDeleted={() => navigate({ to: paths.campaigns })} />
      )}
    </div>
  );
}

/** `Segment: Installed users, via Larkspur Store` */
function Route({ campaign }: { campaign: Campaign }) {
  const { data: projects } = useQuery(projectsQuery());
  const project = projects?.find(({ id }) => id === campaign.project_id);
  return (
    <>
      {campaign.segment_name === null ? (
        segmentText(campaign)
      ) : (
        <>
          Segment: <bdi>{campaign.segment_name}</bdi>
        </>
      )}
      {campaign.audience_project_ids !== null && ', only people with a conversation in the projects of who made it'}
      {project !== undefined && (
        <>
          , via{' '}
          <Link
            to={paths.project}
            params={{ projectId: String(project.id) }}
            className="rounded-small text-accent-ink underline"
          >
            <bdi>{project.name}</bdi>
          </Link>
        </>
      )}
    </>
  );
}

function Actions({ campaign, onOpen }: { campaign: Campaign; onOpen: (dialog: OpenDialog) => void }) {
  const { openEdit, openCopy } = useEditor(paths.campaigns);
  const neededFor = useNeededFor();
  return (
    <>
      <PauseButton campaign={campaign} />
      <Button
        needs={neededFor(campaign)}
        icon={<Pencil aria-hidden="true" className="size-4" />}
        onClick={() => openEdit(campaign.id)}
      >
        Edit
      </Button>
      <Button
        needs="campaigns:write"
        icon={<Copy aria-hidden="true" className="size-4" />}
        onClick={() => openCopy(campaign.id)}
      >
        Duplicate
      </Button>
      <HistoryLink target={`campaign:${campaign.id}`} name={campaign.name} />
      {!hasEnded(campaign) && (
        <Button needs="campaigns:write" variant="ghost-danger" onClick={() => onOpen('cancel')}>
          Cancel
        </Button>
      )}
      <Button
        needs="campaigns:write"
        variant="ghost-danger"
        icon={<Trash2 aria-hidden="true" className="size-4" />}
        onClick={() => onOpen('delete')}
      >
        Delete
      </Button>
    </>
  );
}

/** A single button for both, so that the focus stays when the label changes. */
function PauseButton({ campaign }: { campaign: Campaign }) {
  const pause = useCampaignAction('pause');
  const resume = useCampaignAction('resume');
  const isPaused = campaign.status === 'paused';
  if (!isPaused && campaign.status !== 'running' && campaign.status !== 'scheduled') return null;
  return (
    <Button
      needs="campaigns:write"
      variant={isPaused ? 'primary' : 'secondary'}
      icon={isPaused ? <Play aria-hidden="true" className="size-4" /> : <Pause aria-hidden="true" className="size-4" />}
      busy={pause.isPending || resume.isPending}
      onClick={() => (isPaused ? resume : pause).mutate(campaign)}
    >
      {isPaused ? 'Resume' : 'Pause'}
    </Button>
  );
}
