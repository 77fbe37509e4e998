import { useMutation, useQuery, useQueryClient, queryOptions } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import type { AccountExport } from '#contracts/account-data.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { CheckInput } from '#web/shared/form/checkbox.tsx';
import { askForIdentity } from '#web/shared/identity-question.ts';
import { formatBytes } from '#web/shared/message/format-bytes.ts';
import { formatLongDate } from '#web/shared/time-format.ts';
import { Button, buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

const queryKey = ['account-exports'];
const pollMs = 3_000;

const isUnderWay = ({ status }: AccountExport) => status === 'waiting' || status === 'working';

const exportsQuery = queryOptions({
  queryKey,
  queryFn: ({ signal }) => callApi('GET /api/account/exports', {}, { signal }),
  refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? pollMs : false),
});

/** Everything in the account as one archive: asked for, followed while it is made, downloaded for seven days. */
export function ArchiveCard() {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(exportsQuery);
  const [withFiles, setWithFiles] = useState(true);
  const start = useMutation({
    mutationFn: () => callApi('POST /api/account/export', { query: { files: withFiles ? 'true' : 'false' } }),
    onError: (failure) => notify.error(errorText(failure, 'Failed to start the export')),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
  const isBusy = data?.data.some(isUnderWay) === true;
  return (
    <Card
      id="archive"
      title="Export everything"
      description="Contacts, messages and their files, campaigns, flows, segments, templates and settings, as CSV and JSON Lines in one archive. It is made in the background; a mail tells you when it is ready."
      actions={
        <Button
          size="small"
          icon={<Download aria-hidden="true" className="size-4" />}
          busy={start.isPending && 'Starting...'}
          disabled={isBusy || data === undefined}
          onClick={() => start.mutate()}
        >
          Export
        </Button>
      }
    >
      <div className="grid gap-4">
        <CheckInput
          label="With the files of messages"
          checked={withFiles}
          disabled={isBusy}
          onChange={({ target }) => setWithFiles(target.checked)}
        />
        {data === undefined && error !== null && (
          <ErrorPanel title="Failed to load the archives" onRetry={() => void refetch()} />
        )}
        {data === undefined && error === null && <Skeleton className="h-11 w-full" />}
        {data !== undefined && data.data.length > 0 && (
          <ul aria-label="Archives" className="divide-y divide-line border-t border-line">
            {data.data.map((each) => (
              <ArchiveRow key={each.id} archive={each} />
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}

function ArchiveRow({ archive }: { archive: AccountExport }) {
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => callApi('DELETE /api/account/exports/{exportId}', { params: { exportId: archive.id } }),
    onError: (failure) => notify.error(errorText(failure, 'Failed to remove the archive')),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
  // The link is shown to who has lately shown who they are.
  const show = useMutation({
    mutationFn: async () => {
      if (!(await askForIdentity())) return;
      const { url } = await callApi('GET /api/account/exports/{exportId}', { params: { exportId: archive.id } });
      if (url !== null) location.assign(url);
    },
    onError: (failure) => notify.error(errorText(failure, 'Failed to download the archive')),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <span className="min-w-0 flex-1 basis-60">
        <span className="block font-medium">
          {archive.size === null ? 'Archive' : formatBytes(archive.size)} of {formatLongDate(archive.created_at)}
        </span>
        <span className="block text-13 text-muted">
          <StateOf archive={archive} />
          {archive.started_by !== null && (
            <>
              {' · asked for by '}
              <bdi>{archive.started_by.name}</bdi>
            </>
          )}
        </span>
      </span>
      {archive.status === 'completed' && archive.url === null && (
        <Button
          size="small"
          icon={<Download aria-hidden="true" className="size-4" />}
          busy={show.isPending && 'Loading...'}
          onClick={() => show.mutate()}
        >
          Download
        </Button>
      )}
      {archive.url !== null && (
        <a href={archive.url} download className={buttonClass('secondary', 'small')}>
          <Download aria-hidden="true" className="size-4" />
          Download
        </a>
      )}
      {isUnderWay(archive) && (
        <Button size="small" busy={remove.isPending && 'Stopping...'} onClick={() => remove.mutate()}>
          Stop
        </Button>
      )}
      {archive.status === 'completed' && (
        <Button size="small" variant="ghost-danger" onClick={() => setAsking(true)}>
          Remove
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Remove the archive?"
        confirmLabel="Remove"
        busyLabel="Removing..."
        onConfirm={() => remove.mutateAsync()}
      >
        Its link stops at once, also in the mail. What is in the account stays.
      </ConfirmDialog>
    </li>
  );
}

function StateOf({
  archive: { status, progress, expires_at: expiresAt, error, created_at: createdAt },
}: {
  archive: AccountExport;
}) {
  switch (status) {
    case 'waiting':
      return <>Waits for its turn</>;
    case 'working':
      return (
        <span role="status">
          Being made, {Math.floor(progress * 100)}%, begun <RelativeTime at={createdAt} />
        </span>
      );
    case 'completed':
      return <>The link works until {expiresAt === null ? 'it is removed' : formatLongDate(expiresAt)}</>;
    case 'failed':
      return <span className="text-red-ink">{error}</span>;
    case 'stopped':
      return <>Stopped</>;
    case 'ended':
      return <>Its link has ended</>;
  }
}
