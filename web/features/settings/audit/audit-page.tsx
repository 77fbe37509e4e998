import { infiniteQueryOptions, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { UseInfiniteQueryResult, InfiniteData } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import type { AuditEvent } from '#contracts/audit.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { downloadFile } from '#web/shared/download.ts';
import { useCan } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { formatDayName } from '#web/shared/time-format.ts';
import { useNow } from '#web/shared/use-now.ts';
import { notify } from '#web/shared/ui/toast-store.ts';
import { SettingsFrame } from '#web/shared/settings-frame.tsx';
import { useSearchChange } from '#web/shared/use-search-change.ts';
import { AuditEntry } from './audit-entry.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { auditFilter, auditSearch } from './audit-search.ts';
import type { AuditSearch } from './audit-search.ts';

const auditQuery = (filter: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ['audit-events', filter],
    queryFn: ({ pageParam: after, signal }) =>
      callApi(
        'GET /api/audit-events',
        // The count of all of them comes with the first page.
        { query: { ...auditFilter(filter), ...(after === null ? { count: 'true' as const } : { after }) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: after }) => after,
  });

/** Acts of people and keys in the account, newest first. */
export function AuditPage() {
  const filter = auditSearch(useSearch({ strict: false }));
  const events = useInfiniteQuery(auditQuery(filter));
  const change: (search: AuditSearch) => void = useSearchChange().set;
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Who did what, when and from where. Kept for 400 days; nobody can change it."
        actions={<ExportButton filter={filter} />}
      />
      <SettingsFrame>
        <Card flush className="overflow-hidden">
          <AuditFilters filter={filter} total={events.data?.pages[0]?.total} onChange={change} />
          <Events events={events} isFiltered={Object.keys(filter).length > 0} />
        </Card>
      </SettingsFrame>
    </>
  );
}

function ExportButton({ filter }: { filter: AuditSearch }) {
  const can = useCan();
  const save = useMutation({
    mutationFn: () => downloadFile('GET /api/audit-events/export', { query: auditFilter(filter) }, 'audit-log.csv'),
    onError: (error) => notify.error(errorText(error, 'Failed to download the audit log')),
  });
  return (
    <Button
      icon={<Download aria-hidden="true" className="size-4" />}
      busy={save.isPending && 'Exporting...'}
      disabled={!can('data:export')}
      title={can('data:export') ? undefined : 'Your role in this account does not allow this'}
      onClick={() => save.mutate()}
    >
      Export CSV
    </Button>
  );
}

type EventsProps = {
  events: UseInfiniteQueryResult<InfiniteData<{ data: AuditEvent[] }>>;
  isFiltered: boolean;
};

function Events({ events, isFiltered }: EventsProps) {
  const now = useNow(60_000);
  const all = events.data?.pages.flatMap(({ data }) => data) ?? [];
  const days = Map.groupBy(all, ({ created_at: at }) => formatDayName(at, now));
  return (
    <>
      {events.isPending && <Skeleton className="m-5 h-48" />}
      {events.isError && (
        <ErrorPanel
          title="Failed to load the audit log"
          detail={errorText(events.error, 'Try again in a moment.')}
          onRetry={() => void events.refetch()}
        />
      )}
      {events.isSuccess && all.length === 0 && (
        <p className="px-4 py-8 text-center text-muted">
          {isFiltered ? 'Nothing was done that matches.' : 'Nothing was done yet.'}
        </p>
      )}
      <div role="region" aria-label="Audit log" className="divide-y">
        {[...days].map(([day, entries]) => (
          <section key={day} aria-label={day} className="divide-y">
            <h2 className="bg-sunken px-4 py-2 text-12 font-medium text-muted sm:px-5">{day}</h2>
            <ul className="divide-y">
              {entries.map((event) => (
                <AuditEntry key={event.id} event={event} />
              ))}
            </ul>
          </section>
        ))}
      </div>
      {events.hasNextPage && (
        <div className="flex justify-center border-t px-4 py-3">
          <Button busy={events.isFetchingNextPage && 'Loading...'} onClick={() => void events.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </>
  );
}
