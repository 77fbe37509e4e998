import { Link } from '@tanstack/react-router';
import { CircleAlert, FlaskConical, MessageSquareReply, QrCode } from 'lucide-react';
import { useState } from 'react';
import type { PhoneHealth } from '#contracts/phone-health.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { paths } from '#web/shared/paths.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { PhoneLinkDialog } from '#web/shared/phone-link/phone-link-dialog.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';
import { StatusBadge } from '#web/shared/ui/status-badge.tsx';
import { Tag } from '#web/shared/ui/tag.tsx';
import { DeletePhoneDialog } from './delete-phone-dialog.tsx';
import { DisconnectPhoneDialog } from './disconnect-phone-dialog.tsx';
import { EditPhoneDialog } from './edit-phone-dialog.tsx';
import { HealthBadge, isStopped } from '#web/shared/ui/health-badge.tsx';
import { IncomingMessageDialog } from './incoming-message-dialog.tsx';
import { PhoneFacts } from './phone-facts.tsx';
import { useConnectSandbox } from './use-connect-sandbox.ts';

type OpenDialog = 'link' | 'edit' | 'delete' | 'disconnect' | 'incoming';

export function PhoneCard({ phone }: { phone: PhoneNumber }) {
  const [open, setOpen] = useState<OpenDialog>();
  const format = usePhoneFormat();
  const connectSandbox = useConnectSandbox(phone);
  const title = phone.name || format(phone.phone_number);
  const isSandbox = phone.connector === 'sandbox';
  const close = () => setOpen(undefined);

  return (
    <article aria-label={title} className="flex h-full flex-col rounded-base border bg-surface">
      <header className="flex items-start gap-2 px-5 pt-4">
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-14" title={title}>
            <Link to={paths.phone} params={{ phoneId: String(phone.id) }} className="hover:underline">
              <bdi>{title}</bdi>
            </Link>
          </h2>
          <p className="text-muted">
            <PhoneText digits={phone.phone_number} />
          </p>
        </div>
        {isSandbox && (
          <IconButton
            label="Simulate incoming message"
            icon={<MessageSquareReply aria-hidden="true" className="size-4" />}
            disabled={!phone.is_connected}
            onClick={() => setOpen('incoming')}
            className="-mr-2"
          />
        )}
      </header>
      <div className="flex flex-wrap items-center gap-1.5 px-5 pt-3 pb-4">
        <StatusBadge kind="connection" status={phone.status} />
        {phone.health !== null && <HealthBadge health={phone.health} />}
        {phone.health?.is_protected === false && <Tag>Unprotected</Tag>}
        {!phone.is_active && <Tag>Inactive</Tag>}
        {isSandbox && <Tag icon={<FlaskConical aria-hidden="true" />}>Sandbox</Tag>}
      </div>
      {phone.error !== null && <PhoneError reason={phone.error} />}
      {phone.error === null && !phone.is_connected && (
        <p className="px-5 pb-4 text-13 text-pretty text-muted">{phone.status_message}</p>
      )}
      {phone.error === null && phone.health !== null && needsWords(phone.health) && (
        <p className="px-5 pb-4 text-13 text-pretty text-muted">{phone.health.reason}</p>
      )}
      <PhoneFacts phone={phone} />
      <footer className="mt-auto flex items-center gap-2 border-t px-5 py-3">
        {phone.is_connected ? (
          <Button size="small" className="flex-1" onClick={() => setOpen('disconnect')}>
            Disconnect
          </Button>
        ) : (
          <Button
            size="small"
            variant="primary"
            className="flex-1"
            icon={!isSandbox && <QrCode aria-hidden="true" className="size-4" />}
            busy={connectSandbox.isPending && 'Connecting...'}
            onClick={() => (isSandbox ? connectSandbox.mutate() : setOpen('link'))}
          >
            Connect
          </Button>
        )}
        <Button size="small" variant="ghost" onClick={() => setOpen('edit')}>
          Edit
        </Button>
        <Button size="small" variant="ghost-danger" onClick={() => setOpen('delete')}>
          Delete
        </Button>
      </footer>
      {open === 'link' && (
        <PhoneLinkDialog
          projectId={phone.project_id}
          phoneId={phone.id}
          phoneNumber={phone.phone_number}
          onClose={close}
        />
      )}
      {open === 'edit' && <EditPhoneDialog phone={phone} onClose={close} />}
      {open === 'incoming' && <IncomingMessageDialog phone={phone} title={title} onClose={close} />}
      <DisconnectPhoneDialog isOpen={open === 'disconnect'} phone={phone} title={title} onClose={close} />
      <DeletePhoneDialog isOpen={open === 'delete'} phone={phone} title={title} onClose={close} />
    </article>
  );
}

/** Whoever looks at it wants to know why it is not as it was. */
const needsWords = (health: PhoneHealth) => isStopped(health) || health.state === 'watch';

function PhoneError({ reason }: { reason: string }) {
  return (
    <p className="flex gap-2 px-5 pb-4 text-13 text-pretty wrap-anywhere">
      <CircleAlert aria-hidden="true" className="mt-0.75 size-3.5 shrink-0 text-red-ink" />
      {reason}
    </p>
  );
}
