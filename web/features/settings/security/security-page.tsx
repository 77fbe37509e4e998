import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { passkeysQuery, twoFactorQuery } from '#web/shared/queries.ts';
import { useCan } from '#web/shared/session.ts';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { SettingsFrame } from '#web/shared/settings-frame.tsx';
import { IdentitiesCard, identitiesQuery } from '../two-factor/identities-card.tsx';
import { PasskeysCard } from '../two-factor/passkeys-card.tsx';
import { TwoFactorCard } from '../two-factor/two-factor-card.tsx';
import { DemandCard } from './demand-card.tsx';
import { ProtectionCard } from './protection-card.tsx';
import { securityEventsQuery, sessionsQuery } from './queries.ts';
import { SecurityEventsCard } from './security-events-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

/** How a person signs in, and how everybody of the account does. */
export function SecurityPage() {
  const can = useCan();
  const areWaysKnown = !useQuery(twoFactorQuery()).isPending;
  const arePasskeysKnown = !useQuery(passkeysQuery()).isPending && areWaysKnown;
  const areIdentitiesKnown = !useQuery(identitiesQuery).isPending && arePasskeysKnown;
  const areSessionsKnown = !useQuery(sessionsQuery()).isPending && areIdentitiesKnown;
  const areEventsKnown = !useInfiniteQuery(securityEventsQuery()).isPending && areSessionsKnown;
  return (
    <>
      <PageHeader title="Security" description="How you sign in, and how everybody does" />
      <SettingsFrame>
        <div className="grid max-w-180 min-w-0 grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6">
          <ProtectionCard />
          <TwoFactorCard />
          <Below isReady={areWaysKnown}>
            <PasskeysCard />
          </Below>
          <Below isReady={arePasskeysKnown}>
            <IdentitiesCard />
          </Below>
          <Below isReady={areIdentitiesKnown}>
            <SessionsCard />
          </Below>
          <Below isReady={areSessionsKnown}>
            <SecurityEventsCard />
          </Below>
          <Below isReady={areEventsKnown}>{can('account:write') && can('team:read') && <DemandCard />}</Below>
        </div>
      </SettingsFrame>
    </>
  );
}

/** Below a card whose length is not known yet another one would jump. */
const Below = ({ isReady, children }: { isReady: boolean; children: ReactNode }) => (
  <div className={clsx('contents', !isReady && 'invisible')}>{children}</div>
);
