import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { errorText, hasStatus } from '#web/shared/api-error.ts';
import { usePageName } from '#web/shared/page-name.ts';
import { paths } from '#web/shared/paths.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { importQuery } from './import-queries.ts';
import { ImportSteps } from './import-steps.tsx';
import { LatestImports } from './latest-imports.tsx';
import { UploadCard } from './upload-card.tsx';

export function ImportPage() {
  const { id } = useSearch({ from: '/shell/profiles/import' });
  if (id !== undefined) return <ShownImport key={id} importId={id} />;
  return (
    <>
      <PageHeader
        title="Import profiles"
        description="From a CSV file: new numbers become profiles, known ones are updated"
        actions={
          <Link to={paths.profiles} className={buttonClass()}>
            All profiles
          </Link>
        }
      />
      <UploadCard />
      <LatestImports />
    </>
  );
}

function ShownImport({ importId }: { importId: number }) {
  const { data: shown, error, refetch } = useQuery(importQuery(importId));
  usePageName(shown?.file_name ?? undefined);
  return (
    <>
      <PageHeader
        title={shown?.file_name ?? 'Import profiles'}
        description={shown && `${shown.total_rows.toLocaleString('en')} ${shown.total_rows === 1 ? 'row' : 'rows'}`}
        actions={
          <Link to={paths.profileImport} className={buttonClass()}>
            All imports
          </Link>
        }
      />
      {shown !== undefined ? (
        <ImportSteps shown={shown} />
      ) : (
        <Card flush>
          {error === null ? (
            <div role="status" aria-label="Loading import..." className="grid gap-4 p-5">
              <Skeleton className="h-3 w-2/5" />
              <Skeleton className="h-3 w-4/5" />
              <Skeleton className="h-3 w-3/5" />
            </div>
          ) : (
            <ErrorPanel
              title={hasStatus(error, 404) ? 'Import not found' : 'Failed to load import'}
              detail={
                hasStatus(error, 404) ? 'Its file has been forgotten.' : errorText(error, 'Try again in a moment.')
              }
              onRetry={hasStatus(error, 404) ? undefined : () => void refetch()}
            />
          )}
        </Card>
      )}
    </>
  );
}
