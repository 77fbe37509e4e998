import type { CloudSetup, PhoneNumber } from '#contracts/phone-numbers.ts';
import { Allowed } from '#web/shared/ui/allowed.tsx';
import { SignedUpCard } from '../sign-up/signed-up-card.tsx';
import { ChecksCard } from './checks-card.tsx';
import { CostsCard } from './costs-card.tsx';
import { LimitsCard } from './limits-card.tsx';
import { NoticesCard } from './notices-card.tsx';
import { WindowsCard } from './windows-card.tsx';
import { WebhookCard } from './webhook-card.tsx';

/** A number of the official API: what Meta lets it send, its webhook, the test of everything, and what Meta said. */
export function OfficialNumber({ phone, setup }: { phone: PhoneNumber; setup: CloudSetup }) {
  const isReady = phone.is_connected && setup.webhook_seen_at !== null;
  return (
    <div className="grid min-w-0 gap-4 sm:gap-6">
      {setup.facts !== null && <LimitsCard phoneId={phone.id} setup={setup} facts={setup.facts} />}
      {setup.facts !== null && <WindowsCard phoneId={phone.id} />}
      {setup.facts !== null && <CostsCard phoneId={phone.id} />}
      {isReady && <NoticesCard phoneId={phone.id} />}
      {setup.signed_up ? <SignedUpCard phone={phone} setup={setup} /> : <WebhookCard setup={setup} />}
      <Allowed needs="phones:write">
        <ChecksCard phone={phone} />
      </Allowed>
      {!isReady && <NoticesCard phoneId={phone.id} />}
    </div>
  );
}
