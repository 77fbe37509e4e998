import { infiniteQueryOptions, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronRight, Download } from 'lucide-react';
import type { AuditEvent } from '#contracts/audit.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { downloadFile } from '#web/shared/download.ts';
import { paths } from '#web/shared/paths.ts';
import { useCan } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { SettingsFrame } from '#web/shared/settings-frame.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { auditFilter, auditSearch, valueText, wordsOf } from './audit-search.ts';
import type { AuditSearch } from './audit-search.ts';

const auditQuery = (filter: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ['audit-events', filter],
    queryFn: ({ pageParam: after, signal }) =>
      callApi(
        'GET /api/audit-events',
        { query: { ...auditFilter(filter), ...(after !== null && { after }) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: after }) => after,
  });

/** Acts of people and keys in the account, newest first. */
export function AuditPage() {
  const filter = auditSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (search: AuditSearch) => void navigate({ to: paths.auditLog, search, replace: true });
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Who did what, when and from where. Kept for 400 days; nobody can change it."
        actions={<ExportButton filter={filter} />}
      />
      <SettingsFrame>
        <Card flush className="overflow-hidden">
          <AuditFilters filter={filter} onChange={change} />
          <Events filter={filter} />
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
      onClick={() => save.mutate()}
    >
      Export CSV
    </Button>
  );
}

function Events({ filter }: { filter: AuditSearch }) {
  const events = useInfiniteQuery(auditQuery(filter));
  const all = events.data?.pages.flatMap(({ data }) => data) ?? [];
  const isFiltered = Object.keys(filter).length > 0;
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
      <ul aria-label="Audit log" className="divide-y">
        {all.map((event) => (
          <Event key={event.id} event={event} />
        ))}
      </ul>
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

function Event({ event }: { event: AuditEvent }) {
  const { actor, action, target, address, created_at: at } = event;
  return (
    <li>
      <details className="group">
        <summary className="flex cursor-pointer list-none items-start gap-2 px-4 py-2.5 hover:bg-hover sm:px-5">
          <ChevronRight
            aria-hidden="true"
            className="mt-0.5 size-4 shrink-0 text-faint transition-transform group-open:rotate-90"
          />
          <span className="grid min-w-0 flex-1 gap-x-4 gap-y-0.5 sm:grid-cols-[10rem_minmax(0,1fr)_auto]">
            <span className="text-13 text-muted">
              <DateTime at={at} />
            </span>
            <span className="min-w-0 wrap-anywhere">
              <bdi className="font-medium">{actor.name}</bdi>
              <span className="text-muted"> · </span>
              {wordsOf(action)}
              {target.name !== null && (
                <>
                  <span className="text-muted"> · </span>
                  <bdi>{target.name}</bdi>
                </>
              )}
            </span>
            <span className="font-mono text-13 text-muted">{address}</span>
          </span>
        </summary>
        <Details event={event} />
      </details>
    </li>
  );
}

function Details({ event }: { event: AuditEvent }) {
  const { changes, target, program, request_id: requestId } = event;
  const rows = Object.entries(changes).map(
    ([field, { before, after, hidden }]) =>
      [wordsOf(field), hidden ? 'changed, hidden' : `${valueText(before)} to ${valueText(after)}`] as const,
  );
  const of = target.id === null ? undefined : `${target.type}:${target.id}`;
  return (
    <div className="grid gap-3 border-t bg-sunken px-4 py-3 text-13 sm:px-11">
      <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[10rem_minmax(0,1fr)]">
        {[...rows, ['With', program] as const, ['Request', requestId] as const].map(
          ([term, value]) =>
            value !== null && (
              <div key={term} className="contents">
                <dt className="text-muted">{term}</dt>
                <dd className="wrap-anywhere">
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ),
        )}
      </dl>
      {of !== undefined && (
        <Link
          to={paths.auditLog}
          search={{ target: of }}
          className="justify-self-start rounded-small text-accent-ink underline"
        >
          All that was done to it
        </Link>
      )}
    </div>
  );
}
