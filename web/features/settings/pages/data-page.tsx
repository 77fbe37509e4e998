import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { useCan, useSession } from '#web/shared/session.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { ArchiveCard } from '../account-data/archive-card.tsx';
import { DeleteAccountCard } from '../account-data/delete-account-card.tsx';
import { EraseContactCard } from '../account-data/erase-contact-card.tsx';
import { KeptEventsCard } from '../kept-events-card.tsx';
import { KeptMessagesCard } from '../kept-messages-card.tsx';
import { SettingsFrame } from '#web/shared/settings-frame.tsx';

/** The data that the account keeps, and the ways out of it. */
export function DataPage() {
  const can = useCan();
  const { user } = useSession();
  return (
    <>
      <PageHeader title="Data" description="Take it with you, keep less of it, or have it deleted" />
      <SettingsFrame>
        <div className="grid max-w-180 min-w-0 grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6">
          {can('account:write') && <ArchiveCard />}
          {can('account:write') && user !== null && <KeptMessagesCard user={user} />}
          {can('contacts:read') && <KeptEventsCard />}
          {user === null && (
            <Card>
              <ErrorPanel title="Failed to fetch user data" onRetry={() => void refreshCurrentUser()} />
            </Card>
          )}
          {can('contacts:write') && <EraseContactCard />}
          {can('owners:write') && <DeleteAccountCard />}
        </div>
      </SettingsFrame>
    </>
  );
}
