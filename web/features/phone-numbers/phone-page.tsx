import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { connectorTraits, isSimulated } from '#contracts/connectors.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { errorText, hasStatus } from '#web/shared/api-error.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { NotFoundCard } from '#web/shared/ui/not-found-card.tsx';
import { PageSkeleton } from '#web/shared/ui/page-skeleton.tsx';
import { CareCard } from './health/care-card.tsx';
import { DaysCard } from './health/days-card.tsx';
import { LogCard } from './health/log-card.tsx';
import { healthHistoryQuery, phoneQuery } from './health/phone-queries.ts';
import { shownHealth } from '#web/shared/ui/health-badge.tsx';
import { StateCard } from './health/state-card.tsx';
import { WarmUpCard } from './health/warm-up-card.tsx';
import { IdsCard } from './official/ids-card.tsx';
import { OfficialCareCard } from './official/official-care-card.tsx';
import { OfficialNumber } from './official/official-number.tsx';
import { HistoryCard } from './history-card.tsx';
import { PhoneFacts } from './phone-facts.tsx';
import { PhoneHeader } from './phone-header.tsx';
import { ProfileCard } from './profile/profile-card.tsx';

const columns = 'grid-cols-[minmax(0,1fr)] xl:grid-cols-[minmax(0,1fr)_20rem]';

/**
 * Shows a number: its standing with WhatsApp and why, its allowance and its sends, and the switches of its protection.
 */
export function PhonePage() {
  const phoneId = Number(useParams({ from: '/shell/phone-numbers/$phoneId' }).phoneId);
  const isId = Number.isSafeInteger(phoneId) && phoneId > 0;
  const { data: phone, error, refetch } = useQuery({ ...phoneQuery(phoneId), enabled: isId });
  if (!isId || hasStatus(error, 404)) return <NotFoundCard kind="phone" />;
  if (phone === undefined && error !== null) {
    return (
      <Card flush>
        <ErrorPanel
          title="Failed to load the phone number"
          detail={errorText(error, 'Try again in a moment.')}
          onRetry={() => void refetch()}
        />
      </Card>
    );
  }
  if (phone === undefined)
    return <PageSkeleton what="phone number" cards={['h-29.5 sm:h-25']} aside={['h-51']} columns={columns} />;
  const health = shownHealth(phone);
  return (
    <>
      <PhoneHeader phone={phone} />
      {health !== null && <StateCard health={health} />}
      <div className={clsx('grid items-start gap-4 sm:gap-6', columns)}>
        <Main phone={phone} />
        <aside aria-label="Settings of this number" className="grid min-w-0 gap-4 sm:gap-6">
          {health !== null && !health.simulated && <CareCard phone={phone} health={health} />}
          {connectorTraits[phone.connector].link !== 'none' && <ProfileCard phone={phone} />}
          {hasHistory(phone) && <HistoryCard phone={phone} />}
          {phone.cloud !== null && <OfficialCareCard projectId={phone.project_id} />}
          {phone.cloud !== null && <IdsCard setup={phone.cloud} />}
          <Card title="Messages" flush>
            <PhoneFacts phone={phone} />
          </Card>
        </aside>
      </div>
    </>
  );
}

/** Chats of before come from a handset, or from the Business app that a number stays in. */
const hasHistory = ({ connector, cloud }: PhoneNumber) =>
  connectorTraits[connector].link === 'qr' || cloud?.facts?.is_shared === true;

function Main({ phone }: { phone: PhoneNumber }) {
  if (isSimulated(phone.connector)) return <SandboxCard />;
  return phone.cloud === null ? <History phone={phone} /> : <OfficialNumber phone={phone} setup={phone.cloud} />;
}

function History({ phone }: { phone: PhoneNumber }) {
  const { data, error, refetch } = useQuery(healthHistoryQuery(phone.id));
  if (phone.health === null) return <NotLinkedCard />;
  if (data === undefined && error !== null) {
    return (
      <Card flush>
        <ErrorPanel
          title="Failed to load its history"
          detail={errorText(error, 'Try again in a moment.')}
          onRetry={() => void refetch()}
        />
      </Card>
    );
  }
  return (
    <div className="grid min-w-0 gap-4 sm:gap-6">
      {data !== undefined && data.warm_up !== null && <WarmUpCard warmUp={data.warm_up} health={phone.health} />}
      {data !== undefined && <DaysCard days={data.days} />}
      <LogCard phoneId={phone.id} />
    </div>
  );
}

function NotLinkedCard() {
  return (
    <Card title="Health">
      <p className="text-pretty text-muted">
        What WhatsApp says of this number, its warm-up and its last days stand here once it has been linked.
      </p>
    </Card>
  );
}

function SandboxCard() {
  return (
    <Card title="Health">
      <p className="text-pretty text-muted">
        A sandbox delivers to nobody: it has no network that could limit it, and keeps no pace.
      </p>
    </Card>
  );
}
