import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Flow } from '#contracts/flows.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { EntryFilterSelect } from '#web/shared/report/entry-filter-select.tsx';
import type { EntrySearch } from '#web/shared/report/entry-search.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { DeliveriesTable } from '../deliveries/deliveries-table.tsx';

/** Who got the message, newest first. */
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
      actions={hasAny && <EntryFilterSelect label="Delivery status" search={search} onChange={change} />}
    >
      <DeliveriesTable flowId={flow.id} projectName={projectName} search={search} onChange={change} />
    </Card>
  );
}
