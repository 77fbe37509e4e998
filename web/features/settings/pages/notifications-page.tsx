import { useCan } from '#web/shared/session.ts';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { AlertsCard } from '../alerts-card.tsx';
import { NotificationsCard } from '../notifications-card.tsx';
import { SettingsFrame } from '#web/shared/settings-frame.tsx';

/** How a person is told of what concerns them, and the account of its numbers. */
export function NotificationsPage() {
  const can = useCan();
  return (
    <>
      <PageHeader title="Notifications" description="How you are told of what concerns you" />
      <SettingsFrame>
        <div className="grid max-w-180 min-w-0 grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6">
          <NotificationsCard />
          {can('account:write') && <AlertsCard />}
        </div>
      </SettingsFrame>
    </>
  );
}
