import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Flow } from '#contracts/flows.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { downloadFile } from '#web/shared/download.ts';
import { DownloadEntries } from '#web/shared/report/download-entries.tsx';
import type { EntrySearch } from '#web/shared/report/entry-search.ts';
import { SegmentOfEntries } from '#web/shared/report/segment-of-entries.tsx';
import { EntryTools } from '#web/shared/report/entry-tools.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { DeliveriesTable } from '../deliveries/deliveries-table.tsx';

/** The recipients of the message, newest first. */
export function DeliveriesCard({ flow }: { flow: Flow }) {
  const search = useSearch({ from: '/shell/flows/$flowId' });
  const navigate = useNavigate();
  const { data: projects } = useQuery(projectsQuery());
  const projectName = (projectId: number) => projects?.find(({ id }) => id === projectId)?.name ?? `#${projectId}`;
  const hasAny = Object.values(flow.counts).some((count) => count > 0);
  const change = (next: EntrySearch) => void navigate({ to: '.', search: next, replace: true, resetScroll: false });
  return (
    <Card
      flush
      id="entries"
      title="Deliveries"
      actions={
        hasAny && (
          <>
            <SegmentOfEntries of="flow" id={flow.id} name={flow.name} search={search} />
            <DownloadEntries
              download={() => downloadDeliveries(flow, search)}
              failureText="Failed to download deliveries"
            />
          </>
        )
      }
    >
      {hasAny && <EntryTools what="deliveries" search={search} counts={countsOf(flow)} onChange={change} />}
      <DeliveriesTable flowId={flow.id} projectName={projectName} search={search} onChange={change} />
    </Card>
  );
}

const countsOf = ({ counts }: Flow) => ({
  ...counts,
  all: counts.waiting + counts.sent + counts.failed + counts.skipped,
});

/** Downloads the deliveries that the filters find, over all pages. */
const downloadDeliveries = ({ id }: Flow, { search, status }: EntrySearch) =>
  downloadFile(
    'GET /api/flows/{flowId}/deliveries/export',
    { params: { flowId: id }, query: { search, status } },
    `flow-${id}-deliveries${status === undefined ? '' : `-${status}`}.csv`,
  );
