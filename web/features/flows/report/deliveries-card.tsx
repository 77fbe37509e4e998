import { useQuery } from '@tanstack/react-query';
import type { Flow } from '#contracts/flows.ts';
import type { Report } from '#contracts/reports.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { downloadFile } from '#web/shared/download.ts';
import { EntriesCard, entriesPageSize, useEntrySearch } from '#web/shared/report/entries-card.tsx';
import { figureOf, type EntrySearch } from '#web/shared/report/entry-search.ts';
import { DeliveriesTable } from '../deliveries/deliveries-table.tsx';
import { deliveriesQuery } from '../flow-queries.ts';

/** The deliveries of the chosen figure, or all of them, newest first. */
export function DeliveriesCard({ flow, report }: { flow: Flow; report: Report | undefined }) {
  const { search, change } = useEntrySearch();
  const { data: projects } = useQuery(projectsQuery());
  const query = useQuery(deliveriesQuery(flow.id, search, entriesPageSize));
  const projectName = (projectId: number) => projects?.find(({ id }) => id === projectId)?.name ?? `#${projectId}`;
  const hasAny = Object.values(flow.counts).some((count) => count > 0);
  return (
    <EntriesCard
      title="Deliveries"
      noun="messages"
      source={{ of: 'flow', id: flow.id, name: flow.name }}
      search={search}
      counts={hasAny ? countsOf(flow) : undefined}
      report={report}
      query={query}
      onChange={change}
      download={() => downloadDeliveries(flow, search)}
    >
      <DeliveriesTable
        flowId={flow.id}
        projectName={projectName}
        search={search}
        pageSize={entriesPageSize}
        onChange={change}
      />
    </EntriesCard>
  );
}

const countsOf = ({ counts }: Flow) => ({
  ...counts,
  all: counts.waiting + counts.sent + counts.failed + counts.skipped,
});

/** Downloads the deliveries that the filters find, over all pages. */
const downloadDeliveries = ({ id }: Flow, search: EntrySearch) =>
  downloadFile(
    'GET /api/flows/{flowId}/deliveries/export',
    { params: { flowId: id }, query: { search: search.search, ...figureOf(search) } },
    `flow-${id}-deliveries${search.status === undefined ? '' : `-${search.status}`}.csv`,
  );
