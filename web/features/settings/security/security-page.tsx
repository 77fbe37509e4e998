import { useCan } from '#web/shared/session.ts';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { SettingsFrame } from '#web/shared/settings-frame.tsx';
import { IdentitiesCard } from '../two-factor/identities-card.tsx';
import { PasskeysCard } from '../two-factor/passkeys-card.tsx';
import { TwoFactorCard } from '../two-factor/two-factor-card.tsx';
import { DemandCard } from './demand-card.tsx';
import { ProtectionCard } from './protection-card.tsx';
import { SecurityEventsCard } from './security-events-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

/** How a person signs in, and how everybody of the account does. */
export function SecurityPage() {
  const can = useCan();
  return (
    <>
      <PageHeader title="Security" description="How you sign in, and how everybody does" />
      <SettingsFrame>
        <div className="grid max-w-180 min-w-0 grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6">
          <ProtectionCard />
          <TwoFactorCard />
          <PasskeysCard />
          <IdentitiesCard />
          <SessionsCard />
          <SecurityEventsCard />
          {can('account:write') && can('team:read') && <DemandCard />}
        </div>
      </SettingsFrame>
    </>
  );
}
