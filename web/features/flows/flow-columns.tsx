import { ChartNoAxesColumn, Copy, Ellipsis, List, Pause, Pencil, Play, Power, Trash2 } from 'lucide-react';
import { useNavigate } from '@tanstack/react-router';
import type { Flow } from '#contracts/flows.ts';
import { paths } from '#web/shared/paths.ts';
import { useNeededFor } from '#web/shared/session.ts';
import type { Column } from '#web/shared/table/data-table.tsx';
import { RowAction, RowActions } from '#web/shared/table/row-action.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Menu } from '#web/shared/ui/menu.tsx';
import { ProjectTag } from '#web/shared/ui/project-tag.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { Badge } from '#web/shared/ui/status-badge.tsx';
import { FlowName } from './flow-name.tsx';
import { FlowRules } from './flow-rules.tsx';
import { lastRunText } from './last-run-text.ts';

type FlowActions = {
  projectName: (projectId: number) => string;
  /** The flow whose run is under way. */
  runningId: number | undefined;
  onRun: (flow: Flow) => void;
  onDeliveries: (flow: Flow) => void;
  onEdit: (flow: Flow) => void;
  onDuplicate: (flow: Flow) => void;
  onSetActive: (flow: Flow) => void;
  onDelete: (flow: Flow) => void;
};

const iconClass = 'size-4';

export function flowColumns(actions: FlowActions): readonly Column<Flow>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      sort: { by: 'name', first: 'asc' },
      onCard: 'title',
      cell: (flow) => <FlowName flow={flow} project={actions.projectName(flow.action.projectId)} />,
    },
    {
      id: 'project',
      header: 'Project',
      choice: 'shown',
      wideOnly: true,
      cell: ({ action }) => <ProjectTag name={actions.projectName(action.projectId)} />,
    },
    { id: 'condition', header: 'Condition', fluid: true, choice: 'shown', cell: (flow) => <FlowRules flow={flow} /> },
    {
      id: 'last_run',
      header: 'Last Run',
      sort: { by: 'last_run', first: 'desc' },
      choice: 'shown',
      wideOnly: true,
      cell: ({ last_run_at: at }) => (
        <span className="text-muted">{at === null ? '–' : <RelativeTime at={at} format={lastRunText} />}</span>
      ),
    },
    {
      id: 'active',
      header: 'Active',
      cell: ({ active }) => <Badge color={active ? 'green' : 'gray'}>{active ? 'Active' : 'Inactive'}</Badge>,
    },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      onCard: 'actions',
      cell: (flow) => (
        <RowActions>
          <RunAction flow={flow} actions={actions} />
          <FlowMenu flow={flow} actions={actions} />
        </RowActions>
      ),
    },
  ];
}

function RunAction({ flow, actions }: { flow: Flow; actions: FlowActions }) {
  const neededFor = useNeededFor();
  return (
    <RowAction
      needs={neededFor(flow)}
      label="Run now"
      subject={flow.name}
      icon={<Play aria-hidden="true" className={iconClass} />}
      busy={actions.runningId === flow.id}
      onClick={() => actions.onRun(flow)}
    />
  );
}

function FlowMenu({ flow, actions }: { flow: Flow; actions: FlowActions }) {
  const navigate = useNavigate();
  const neededFor = useNeededFor();
  const Toggle = flow.active ? Pause : Power;
  return (
    <Menu
      trigger={
        <IconButton label={`Actions for ${flow.name}`} icon={<Ellipsis aria-hidden="true" className={iconClass} />} />
      }
      items={[
        {
          label: 'Report',
          icon: <ChartNoAxesColumn aria-hidden="true" className={iconClass} />,
          onSelect: () => void navigate({ to: paths.flow, params: { flowId: String(flow.id) } }),
        },
        {
          label: 'Deliveries',
          icon: <List aria-hidden="true" className={iconClass} />,
          onSelect: () => actions.onDeliveries(flow),
        },
        {
          label: 'Edit',
          needs: neededFor(flow),
          icon: <Pencil aria-hidden="true" className={iconClass} />,
          onSelect: () => actions.onEdit(flow),
        },
        {
          label: 'Duplicate',
          needs: 'campaigns:write',
          icon: <Copy aria-hidden="true" className={iconClass} />,
          onSelect: () => actions.onDuplicate(flow),
        },
        {
          label: flow.active ? 'Deactivate' : 'Activate',
          needs: neededFor(flow),
          icon: <Toggle aria-hidden="true" className={iconClass} />,
          onSelect: () => actions.onSetActive(flow),
        },
        'separator',
        {
          label: 'Delete',
          needs: 'campaigns:write',
          danger: true,
          icon: <Trash2 aria-hidden="true" className={iconClass} />,
          onSelect: () => actions.onDelete(flow),
        },
      ]}
    />
  );
}
