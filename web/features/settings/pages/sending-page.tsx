import { useCan, useIsNarrowed } from '#web/shared/session.ts';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { CapsCard } from '../caps-card.tsx';
import { LinksCard } from '../links-card.tsx';
import { OptOutCard } from '../opt-out-card.tsx';
import { SettingsFrame } from '#web/shared/settings-frame.tsx';

/** Rules for messages to many. */
export function SendingPage() {
  const can = useCan();
  const isNarrowed = useIsNarrowed();
  const sendsForAll = can('campaigns:write') && !isNarrowed;
  return (
    <>
      <PageHeader title="Sending" description="How much one person gets, short links, and who is left alone" />
      <SettingsFrame>
        <div className="grid max-w-180 min-w-0 grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6">
          {sendsForAll && <CapsCard />}
          {sendsForAll && <LinksCard />}
          {can('contacts:write') && <OptOutCard />}
        </div>
      </SettingsFrame>
    </>
  );
}
