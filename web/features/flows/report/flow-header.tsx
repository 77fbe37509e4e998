import { Link, useNavigate } from '@tanstack/react-router';
import { ChevronLeft, Copy, Ellipsis, Pause, Pencil, Play, Power, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Flow } from '#contracts/flows.ts';
import { useEditor } from '#web/shared/form/use-editor.ts';
import { usePageName } from '#web/shared/page-name.ts';
import { paths } from '#web/shared/paths.ts';
import { useNeededFor } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { HistoryLink } from '#web/shared/ui/history-link.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Menu } from '#web/shared/ui/menu.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { Badge } from '#web/shared/ui/status-badge.tsx';
import { ActivateFlowDialog } from '../activate-flow-dialog.tsx';
import { DeleteFlowDialog } from '../delete-flow-dialog.tsx';
import { lastRunText } from '../last-run-text.ts';
import { useRunFlow } from '../use-run-flow.ts';
import { useSetActive } from '../use-set-active.ts';

const iconClass = 'size-4';
/** Of buttons that stand in one line on a handset. */
const buttonIconClass = 'size-4 max-sm:hidden';

export function FlowHeader({ flow }: { flow: Flow }) {
  const navigate = useNavigate();
  const { openEdit, openCopy } = useEditor(paths.flows);
  const [open, setOpen] = useState<'activate' | 'delete'>();
  const close = () => setOpen(undefined);
  const neededFor = useNeededFor();
  usePageName(flow.name);
  return (
    <div className="grid gap-2">
      <Link
        to={paths.flows}
        className="-ml-1 inline-flex items-center gap-0.5 justify-self-start rounded-small pr-1 text-13 text-muted hover:text-ink"
      >
        <ChevronLeft aria-hidden="true" className={iconClass} />
        Flows
      </Link>
      <PageHeader
        title={flow.name}
        badge={<Badge color={flow.active ? 'green' : 'gray'}>{flow.active ? 'Active' : 'Inactive'}</Badge>}
        description={
          flow.last_run_at === null ? (
            'It has not run yet'
          ) : (
            <>
              Last run <RelativeTime at={flow.last_run_at} format={lastRunText} />
            </>
          )
        }
        actions={
          <>
            <RunButton flow={flow} />
            <ActiveButton flow={flow} onActivate={() => setOpen('activate')} />
            <Button
              needs={neededFor(flow)}
              icon={<Pencil aria-hidden="true" className={buttonIconClass} />}
              onClick={() => openEdit(flow.id)}
            >
              Edit
            </Button>
            <HistoryLink target={`flow:${flow.id}`} name={flow.name} />
            <span className="contents max-sm:*:flex-none">
              <Menu
                trigger={
                  <IconButton
                    label={`More actions for ${flow.name}`}
                    icon={<Ellipsis aria-hidden="true" className={iconClass} />}
                  />
                }
                items={[
                  {
                    label: 'Duplicate',
                    needs: 'campaigns:write',
                    icon: <Copy aria-hidden="true" className={iconClass} />,
                    onSelect: () => openCopy(flow.id),
                  },
                  'separator',
                  {
                    label: 'Delete',
                    needs: 'campaigns:write',
                    danger: true,
                    icon: <Trash2 aria-hidden="true" className={iconClass} />,
                    onSelect: () => setOpen('delete'),
                  },
                ]}
              />
            </span>
          </>
        }
      />
      {open === 'activate' && <ActivateFlowDialog flow={flow} onClose={close} />}
      {open === 'delete' && (
        <DeleteFlowDialog flow={flow} onClose={close} onDeleted={() => navigate({ to: paths.flows })} />
      )}
    </div>
  );
}

function RunButton({ flow }: { flow: Flow }) {
  const run = useRunFlow();
  const neededFor = useNeededFor();
  return (
    <Button
      needs={neededFor(flow)}
      icon={<Play aria-hidden="true" className={buttonIconClass} />}
      busy={run.isPending && 'Running...'}
      onClick={() => run.mutate(flow)}
    >
      Run now
    </Button>
  );
}

/** A single button for both, so that the focus stays when the label changes. */
function ActiveButton({ flow, onActivate }: { flow: Flow; onActivate: () => void }) {
  const setActive = useSetActive();
  const neededFor = useNeededFor();
  const Icon = flow.active ? Pause : Power;
  return (
    <Button
      needs={neededFor(flow)}
      variant={flow.active ? 'secondary' : 'primary'}
      icon={<Icon aria-hidden="true" className={buttonIconClass} />}
      busy={setActive.isPending}
      onClick={() => (flow.active ? setActive.mutate({ id: flow.id, active: false }) : onActivate())}
    >
      {flow.active ? 'Deactivate' : 'Activate'}
    </Button>
  );
}
