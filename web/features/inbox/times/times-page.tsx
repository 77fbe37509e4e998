import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Download, Timer } from 'lucide-react';
import type { TimesFigures } from '#contracts/conversation-times.ts';
import { durationText } from '#web/shared/duration-text.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { downloadFile } from '#web/shared/download.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { paths } from '#web/shared/paths.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { shortDay } from '#web/shared/report/days-table.tsx';
import { useCan, useSession } from '#web/shared/session.ts';
import { Button, buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { useSearchChange } from '#web/shared/use-search-change.ts';
import { firstDay, ranges, timesSearch } from './times-search.ts';
import type { TimesSearch } from './times-search.ts';
import { TimesTable } from './times-table.tsx';

/** The day that it is in the account's time zone. */
const today = (timezone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(new Date());

type Asked = { from: string; to: string; project_id?: number };

const timesQuery = (query: Asked) =>
  queryOptions({
    queryKey: ['conversation-times', query],
    queryFn: ({ signal }) => callApi('GET /api/conversations/times', { query }, { signal }),
    placeholderData: keepPreviousData,
  });

/** How soon people get a first answer, and how long their conversations take, by member and day. */
export function TimesPage() {
  const search = timesSearch(useSearch({ strict: false }));
  const { user } = useSession();
  const to = today(user?.timezone ?? 'UTC');
  const asked: Asked = {
    from: firstDay(to, search.days ?? 30),
    to,
    ...(search.project !== undefined && { project_id: search.project }),
  };
  const times = useQuery(timesQuery(asked));
  return (
    <>
      <PageHeader
        title="Answer times"
        description={`How soon people get a first answer, and how long conversations take. Days in ${user?.timezone ?? 'UTC'}.`}
        actions={<ExportButton asked={asked} />}
      />
      <Filters search={search} />
      {times.isPending && (
        <>
          <Skeleton className="h-24" />
          <Skeleton className="h-64" />
        </>
      )}
      {times.isError && (
        <Card>
          <ErrorPanel
            title="Failed to load the answer times"
            detail={errorText(times.error, 'Try again in a moment.')}
            onRetry={() => void times.refetch()}
          />
        </Card>
      )}
      {times.isSuccess && times.data.days.length === 0 && <NothingYet />}
      {times.isSuccess && times.data.days.length > 0 && (
        <>
          <Totals total={times.data.total} />
          <TimesTable
            title="By member"
            description="Whoever answered first, and whoever set the conversation to done"
            first="Member"
            rows={times.data.members.map(({ member, ...figures }) => ({
              ...figures,
              key: String(member?.id ?? 'none'),
              name: member ? <bdi>{member.name}</bdi> : 'On the handset or by a program',
            }))}
          />
          <TimesTable
            title="By day"
            description="Days without an answer are left out"
            first="Day"
            rows={times.data.days
              .toReversed()
              .map(({ date, ...figures }) => ({ ...figures, key: date, name: shortDay(date) }))}
          />
        </>
      )}
    </>
  );
}

function Filters({ search }: { search: TimesSearch }) {
  const address = useSearchChange();
  const { data: projects = [] } = useQuery(projectsQuery());
  const change = (next: Record<string, unknown>) => address.set(timesSearch({ ...search, ...next }));
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SelectInput
        aria-label="Days"
        size="small"
        value={String(search.days ?? 30)}
        options={ranges.map((days) => ({ value: String(days), label: `Last ${days} days` }))}
        onChange={({ target }) => change({ days: target.value })}
      />
      {projects.length > 1 && (
        <SelectInput
          aria-label="Project"
          size="small"
          value={String(search.project ?? '')}
          options={[
            { value: '', label: 'All projects' },
            ...projects.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          onChange={({ target }) => change({ project: target.value })}
        />
      )}
    </div>
  );
}

function ExportButton({ asked }: { asked: Asked }) {
  const can = useCan();
  const save = useMutation({
    mutationFn: () => downloadFile('GET /api/conversations/times/export', { query: asked }, 'answer-times.csv'),
    onError: (error) => notify.error(errorText(error, 'Failed to download the answer times')),
  });
  const mayExport = can('data:export');
  return (
    <Button
      icon={<Download aria-hidden="true" className="size-4" />}
      busy={save.isPending && 'Exporting...'}
      disabled={!mayExport}
      title={mayExport ? undefined : 'Your role exports nothing'}
      onClick={() => save.mutate()}
    >
      Export CSV
    </Button>
  );
}

function NothingYet() {
  return (
    <Card flush>
      <EmptyState
        icon={<Timer aria-hidden="true" />}
        title="No conversation was answered or done in these days"
        hint="Answers from the inbox and the handset count; campaigns, flows and programs answer nobody."
        action={
          <Link to={paths.inbox} className={buttonClass()}>
            Open the inbox
          </Link>
        }
      />
    </Card>
  );
}

function Totals({ total }: { total: TimesFigures }) {
  const tiles = [
    { term: 'First answers', value: total.answered_count.toLocaleString('en') },
    { term: 'Until the first answer', value: durationText(total.first_answer_median_seconds), hint: 'median' },
    { term: 'Done', value: total.done_count.toLocaleString('en') },
    { term: 'Until done', value: durationText(total.done_median_seconds), hint: 'median' },
  ];
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-base border bg-line lg:grid-cols-4">
      {tiles.map(({ term, value, hint }) => (
        <div key={term} className="grid content-start gap-1 bg-surface px-4 py-3 sm:px-5">
          <dt className="text-13 text-muted">
            {term}
            {hint !== undefined && <span> ({hint})</span>}
          </dt>
          <dd className="text-20 font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
