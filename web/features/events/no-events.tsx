import { Activity } from 'lucide-react';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';

export function NoEvents() {
  return (
    <Card flush>
      <EmptyState
        icon={<Activity aria-hidden="true" />}
        title="No events yet"
        hint="Tell what people do, such as an order or a visit: segments and flows count it. Send the first one from below; it appears here at once."
      />
    </Card>
  );
}
