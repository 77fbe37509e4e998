import { DevelopersPage } from '#web/features/developers/developers-page.tsx';
import { EndpointDeliveries } from '#web/features/projects/records/endpoint-deliveries.tsx';

const deliveries = (projectId: number) => <EndpointDeliveries key={projectId} projectId={projectId} />;

export function DevelopersScreen() {
  return <DevelopersPage deliveries={deliveries} />;
}
