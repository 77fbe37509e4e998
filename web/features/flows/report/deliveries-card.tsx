import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Flow } from '#contracts/flows.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { DeliveriesTable } from '../deliveries/deliveries-table.tsx';

/** Who got the message, newest first. */
export function DeliveriesCard({ flow }: { flow: Flow }) {
  const { page = 1 } = useSearch({ from: '/shell/flows/$flowId' });
  const navigate = useNavigate();
  const { data: projects } = useQuery(projectsQuery());
  const projectName = (projectId: number) => projects?.find(({ id }) => id === projectId)?.name ?? `#${projectId}`;
  const onPage = (next: number) =>
    void navigate({ to: '.', search: next > 1 ? { page: next } : {}, replace: true, resetScroll: false });
  return (
    <Card flush title="Deliveries">
      <DeliveriesTable flowId={flow.id} projectName={projectName} page={page} onPage={onPage} />
    </Card>
  );
}
