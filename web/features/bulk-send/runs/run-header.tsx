import { Link, useNavigate } from '@tanstack/react-router';
import { useMutation } from '@tanstack/react-query';
import { ChevronLeft, Download, Pause, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { BulkRun } from '#contracts/bulk-runs.ts';
import { errorText } from '#web/shared/api-error.ts';
import { downloadFile } from '#web/shared/download.ts';
import { usePageName } from '#web/shared/page-name.ts';
import { paths } from '#web/shared/paths.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { BulkRunStatusBadge } from './bulk-run-status-badge.tsx';
import { DuplicateButton } from './duplicate-button.tsx';
import { DeleteRunDialog } from './delete-run-dialog.tsx';
import { StartButton } from './start-button.tsx';
import { StopRunDialog } from './stop-run-dialog.tsx';
import { useBulkRunAction } from './use-bulk-run-action.ts';

export function RunHeader({ run }: { run: BulkRun }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<'stop' | 'delete'>();
  const close = () => setOpen(undefined);
  usePageName(run.name);
  return (
    <div className="grid gap-2">
      <Link
        to={paths.bulkRuns}
        className="-ml-1 inline-flex items-center gap-0.5 justify-self-start rounded-small pr-1 text-13 text-muted hover:text-ink"
      >
        <ChevronLeft aria-hidden="true" className="size-4" />
        Bulk runs
      </Link>
      <PageHeader
        title={run.name}
        badge={<BulkRunStatusBadge status={run.status} />}
        description={descriptionOf(run)}
        actions={
          <>
            <ResultFile run={run} />
            <DuplicateButton run={run} />
            <PauseButton run={run} />
            {run.status === 'draft' && <StartButton run={run} />}
            {isOpen(run) && (
              <Button needs="campaigns:write" variant="danger" onClick={() => setOpen('stop')}>
                Stop
              </Button>
            )}
            {!isOpen(run) && (
              <Button
                needs="campaigns:write"
                icon={<Trash2 aria-hidden="true" className="size-4" />}
                onClick={() => setOpen('delete')}
              >
                Delete
              </Button>
            )}
          </>
        }
      />
      {open === 'stop' && <StopRunDialog run={run} onClose={close} />}
      {open === 'delete' && (
        <DeleteRunDialog run={run} onClose={close} onDeleted={() => navigate({ to: paths.bulkRuns })} />
      )}
    </div>
  );
}

const isOpen = ({ status }: BulkRun) => status === 'running' || status === 'paused';

function descriptionOf({ status }: BulkRun): string {
  switch (status) {
    case 'draft':
      return 'It was prepared, and nothing has been sent.';
    case 'running':
      return 'It goes on without this page.';
    case 'paused':
      return 'Nothing goes out until you resume.';
    case 'completed':
      return 'Every row has been dealt with.';
    case 'stopped':
      return 'What was left is not sent.';
  }
}

/** A single button, so that the focus stays on it. */
function PauseButton({ run }: { run: BulkRun }) {
  const isPaused = run.status === 'paused';
  const pause = useBulkRunAction('pause');
  const resume = useBulkRunAction('resume');
  if (!isOpen(run)) return null;
  const Icon = isPaused ? Play : Pause;
  return (
    <Button
      needs="campaigns:write"
      variant={isPaused ? 'primary' : 'secondary'}
      icon={<Icon aria-hidden="true" className="size-4" />}
      disabled={pause.isPending || resume.isPending}
      onClick={() => (isPaused ? resume : pause).mutate(run)}
    >
      {isPaused ? 'Resume' : 'Pause'}
    </Button>
  );
}

function ResultFile({ run }: { run: BulkRun }) {
  const save = useMutation({
    mutationFn: () =>
      downloadFile(
        'GET /api/bulk-runs/{runId}/rows/export',
        { params: { runId: run.id } },
        `${run.name.replace(/\.csv$/i, '')}-results.csv`,
      ),
    onError: (error) => notify.error(errorText(error, 'Failed to download the result file')),
  });
  return (
    <Button
      needs="campaigns:write"
      icon={<Download aria-hidden="true" className="size-4" />}
      busy={save.isPending && 'Downloading...'}
      onClick={() => save.mutate()}
    >
      Result file
    </Button>
  );
}
