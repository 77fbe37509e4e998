import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { errorText } from '#web/shared/api-error.ts';
import { saveFile } from '#web/shared/download.ts';
import { paths } from '#web/shared/paths.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { useSession } from '#web/shared/session.ts';
import { Button, buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { BulkSendPanels } from './bulk-send-panels.tsx';
import { dropTexts } from './contacts-field.tsx';
import { resultCsv } from './result-csv.ts';
import type { BulkSend } from './run/bulk-send.ts';
import { useBulkSend, useBulkSendState } from './run/use-bulk-send.ts';

export function BulkSendPage() {
  const opening = useBulkSend(useSession().user?.id);
  if (opening.kind === 'open') return <OpenPage bulkSend={opening.bulkSend} />;
  return (
    <>
      <Header />
      {opening.kind === 'elsewhere' ? (
        <Notice color="gray" title="Bulk send is open in another tab" live>
          It opens here once you close it there.
        </Notice>
      ) : (
        <LoadingCard />
      )}
    </>
  );
}

function OpenPage({ bulkSend }: { bulkSend: BulkSend }) {
  const { data: projects, error, refetch } = useQuery(projectsQuery());
  const state = useBulkSendState(bulkSend);
  return (
    <>
      <Header {...(state.outcomes.size > 0 && { onDownload: () => void download(bulkSend) })} />
      {projects !== undefined && <BulkSendPanels bulkSend={bulkSend} projects={projects} />}
      {projects === undefined &&
        (error === null ? (
          <LoadingCard />
        ) : (
          <Card>
            <ErrorPanel
              title="Failed to load projects"
              detail={errorText(error, 'Try again in a moment.')}
              onRetry={() => void refetch()}
            />
          </Card>
        ))}
    </>
  );
}

function Header({ onDownload }: { onDownload?: () => void }) {
  return (
    <PageHeader
      title="Bulk Send"
      description="Send one message to every row of a CSV file"
      actions={
        <>
          {onDownload && (
            <Button icon={<Download aria-hidden="true" className="size-4" />} onClick={onDownload}>
              Download results
            </Button>
          )}
          <Link to={paths.bulkRuns} className={buttonClass('secondary')}>
            Past runs
          </Link>
        </>
      }
    />
  );
}

async function download({ getState }: BulkSend): Promise<void> {
  const state = getState();
  const content = new Blob([await resultCsv(state)], { type: 'text/csv' });
  saveFile(content, `${state.upload?.fileName.replace(/\.csv$/i, '') ?? 'contacts'}-results.csv`);
}

/** In the size of what comes, with the text that waits for nothing. */
function LoadingCard() {
  return (
    <Card>
      <div role="status" aria-label="Loading..." className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_12rem]">
        <Skeleton className="h-15 w-full" />
        <Skeleton className="h-15 w-full" />
        <p className="grid justify-items-center gap-2 rounded-base border border-dashed border-control px-6 py-10 text-center sm:col-span-2">
          <Skeleton className="size-10" />
          <span className="max-w-[60ch] text-13 text-pretty text-muted">{dropTexts.hint}</span>
        </p>
      </div>
    </Card>
  );
}
