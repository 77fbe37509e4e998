import { Link } from '@tanstack/react-router';
import { BadgeCheck, CircleAlert, FlaskConical, MessageSquareReply, QrCode } from 'lucide-react';
import { connectorTraits, isSimulated } from '#contracts/connectors.ts';
import type { PhoneHealth } from '#contracts/phone-health.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { paths } from '#web/shared/paths.ts';
import { Allowed } from '#web/shared/ui/allowed.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { FlaggedPhone } from '#web/shared/number-field/flagged-phone.tsx';
import { StatusBadge } from '#web/shared/ui/status-badge.tsx';
import { Tag } from '#web/shared/ui/tag.tsx';
import { HealthBadge, isStopped, shownHealth } from '#web/shared/ui/health-badge.tsx';
import { PhoneFacts } from './phone-facts.tsx';
import { useConnectPhone } from '#web/shared/phone-link/use-connect-phone.ts';
import { usePhoneDialogs } from './use-phone-dialogs.tsx';
import { changesNeed } from './changes-need.ts';

export function PhoneCard({ phone }: { phone: PhoneNumber }) {
  const { title, open, dialogs } = usePhoneDialogs(phone);
  const connect = useConnectPhone(phone);
  const isSandbox = isSimulated(phone.connector);
  const needs = changesNeed(phone);
  const health = shownHealth(phone);
  const needsCode = connectorTraits[phone.connector].link === 'qr';

  return (
    <article aria-label={title} className="flex h-full flex-col rounded-base border bg-surface">
      <header className="flex items-start gap-2 px-5 pt-4">
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-14" title={title}>
            <Link to={paths.phone} params={{ phoneId: String(phone.id) }} className="hover:underline">
              {phone.name ? <bdi>{title}</bdi> : <FlaggedPhone digits={phone.phone_number} />}
            </Link>
          </h2>
          {phone.name && (
            <p className="text-muted">
              <FlaggedPhone digits={phone.phone_number} />
            </p>
          )}
        </div>
        {isSandbox && (
          <Allowed needs={needs}>
            <IconButton
              label="Simulate incoming message"
              icon={<MessageSquareReply aria-hidden="true" className="size-4" />}
              disabled={!phone.is_connected}
              onClick={() => open('incoming')}
              className="-mr-2"
            />
          </Allowed>
        )}
      </header>
      <div className="flex flex-wrap items-center gap-1.5 px-5 pt-3 pb-4">
        <StatusBadge kind="connection" status={phone.status} />
        {health !== null && <HealthBadge health={health} />}
        {health?.is_protected === false && !isSandbox && <Tag>Unprotected</Tag>}
        {!phone.is_active && <Tag>Inactive</Tag>}
        {phone.is_resting && <Tag>Resting</Tag>}
        {isSandbox && <Tag icon={<FlaskConical aria-hidden="true" />}>Sandbox</Tag>}
        {connectorTraits[phone.connector].link === 'credentials' && (
          <Tag icon={<BadgeCheck aria-hidden="true" />}>Official</Tag>
        )}
      </div>
      {phone.error !== null && <PhoneError reason={phone.error} />}
      {phone.error === null && (!phone.is_connected || phone.is_resting) && (
        <p className="px-5 pb-4 text-13 text-pretty text-muted">{phone.status_message}</p>
      )}
      {phone.error === null && health !== null && needsWords(health) && (
        <p className="px-5 pb-4 text-13 text-pretty text-muted">{health.reason}</p>
      )}
      <div className="border-t">
        <PhoneFacts phone={phone} />
      </div>
      <footer className="mt-auto flex items-center gap-2 border-t px-5 py-3">
        {phone.is_connected ? (
          <Button needs={needs} size="small" className="flex-1" onClick={() => open('disconnect')}>
            Disconnect
          </Button>
        ) : (
          <Button
            needs={needs}
            size="small"
            variant="primary"
            className="flex-1"
            icon={needsCode && <QrCode aria-hidden="true" className="size-4" />}
            busy={connect.isPending && 'Connecting...'}
            onClick={() => (needsCode ? open('link') : connect.mutate())}
          >
            Connect
          </Button>
        )}
        <Button needs="phones:write" size="small" variant="ghost" onClick={() => open('edit')}>
          Edit
        </Button>
        <Button needs={needs} size="small" variant="ghost-danger" onClick={() => open('delete')}>
          Delete
        </Button>
      </footer>
      {dialogs}
    </article>
  );
}

/** An unusual state of health needs an explanation. */
const needsWords = (health: PhoneHealth) => isStopped(health) || health.state === 'watch';

function PhoneError({ reason }: { reason: string }) {
  return (
    <p className="flex gap-2 px-5 pb-4 text-13 text-pretty wrap-anywhere">
      <CircleAlert aria-hidden="true" className="mt-0.75 size-3.5 shrink-0 text-red-ink" />
      {reason}
    </p>
  );
}
