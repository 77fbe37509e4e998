import { Link } from '@tanstack/react-router';
import type { Campaign } from '#contracts/campaigns.ts';
import type { Project } from '#contracts/projects.ts';
import { paths } from '#web/shared/paths.ts';
import { useNeededFor } from '#web/shared/session.ts';
import type { Column } from '#web/shared/table/data-table.tsx';
import { DeleteAction, EditAction, RowActions } from '#web/shared/table/row-action.tsx';
import { formatDate } from '#web/shared/time-format.ts';
import { ProjectTag } from '#web/shared/ui/project-tag.tsx';
import { CampaignMenu } from './campaign-menu.tsx';
import { firstOrders, type CampaignSort } from './campaign-search.ts';
import { segmentText } from './campaign-state.ts';
import { CampaignStatusBadge } from './campaign-status-badge.tsx';
import { ProgressCell } from './progress-cell.tsx';

type Setting = {
  /** Undefined while they load. */
  projects: readonly Project[] | undefined;
  onEdit: (campaign: Campaign) => void;
  onDelete: (campaign: Campaign) => void;
  onCancel: (campaign: Campaign) => void;
};

const sortBy = (by: CampaignSort) => ({ by, first: firstOrders[by] });

const createdColumn: Column<Campaign> = {
  id: 'created',
  choice: 'shown',
  wideOnly: 'widest',
  header: 'Created',
  sort: sortBy('created'),
  onCard: 'hidden',
  cell: ({ created_at }) => (
    <time dateTime={created_at} className="whitespace-nowrap text-muted tabular-nums">
      {formatDate(created_at)}
    </time>
  ),
};

export function campaignColumns(setting: Setting): readonly Column<Campaign>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      sort: sortBy('name'),
      onCard: 'title',
      cell: (campaign) => <Name campaign={campaign} project={projectOf(campaign, setting)} />,
    },
    {
      id: 'project',
      header: 'Project',
      choice: 'shown',
      wideOnly: true,
      cell: (campaign) => {
        const project = projectOf(campaign, setting);
        return project === undefined ? <span className="text-faint">–</span> : <ProjectTag name={project.name} />;
      },
    },
    {
      id: 'segment',
      header: 'Segment',
      choice: 'shown',
      fluid: true,
      cell: (campaign) => (
        <span
          dir="auto"
          title={segmentText(campaign)}
          className="text-muted min-[720px]:line-clamp-2 min-[720px]:max-xl:line-clamp-3 min-[720px]:text-pretty min-[720px]:whitespace-normal"
        >
          {segmentText(campaign)}
        </span>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      sort: sortBy('status'),
      cell: (campaign) => <CampaignStatusBadge campaign={campaign} />,
    },
    {
      id: 'progress',
      header: 'Progress',
      choice: 'shown',
      sort: sortBy('progress'),
      cell: (campaign) => <ProgressCell campaign={campaign} />,
    },
    createdColumn,
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      onCard: 'actions',
      cell: (campaign) => <Actions campaign={campaign} setting={setting} />,
    },
  ];
}

function projectOf({ project_id }: Campaign, { projects }: Setting): Project | undefined {
  return projects?.find(({ id }) => id === project_id);
}

/** With its project beneath where there is no column for it. */
function Name({ campaign: { id, name }, project }: { campaign: Campaign; project: Project | undefined }) {
  return (
    <div className="min-w-0 min-[720px]:w-22 lg:w-26 xl:w-36 min-[87.5rem]:w-44">
      <Link
        to={paths.campaign}
        params={{ campaignId: String(id) }}
        dir="auto"
        title={name}
        className="line-clamp-2 rounded-small text-left font-medium wrap-anywhere whitespace-normal hover:text-accent-ink hover:underline"
      >
        {name}
      </Link>
      <span className="block truncate text-12 text-muted max-[720px]:hidden xl:hidden">
        <bdi>{project?.name}</bdi>
      </span>
    </div>
  );
}

function Actions({ campaign, setting }: { campaign: Campaign; setting: Setting }) {
  const neededFor = useNeededFor();
  return (
    <RowActions>
      <EditAction needs={neededFor(campaign)} subject={campaign.name} onClick={() => setting.onEdit(campaign)} />
      <DeleteAction needs="campaigns:write" subject={campaign.name} onClick={() => setting.onDelete(campaign)} />
      <CampaignMenu campaign={campaign} onCancel={() => setting.onCancel(campaign)} />
    </RowActions>
  );
}
